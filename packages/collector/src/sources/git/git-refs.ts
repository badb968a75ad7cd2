import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCodeOf, matchesBranch } from '@vitrine/config/internal';
import { compareText } from '@vitrine/core';
import { type BranchScope, branchScope, type ScopeOptions } from './branch-scope.js';
import type { FolderRepository } from './local-repository.js';
import { Git, readingEnvironment, type GitProcessOptions } from './git.js';

/** A branch or a tag: its name without `refs/heads/`, `refs/remotes/origin/` or `refs/tags/`, and the object it points at. */
export interface GitRef {
  readonly name: string;
  readonly sha: string;
}

/** Everything that decides what a repository shows, read at one moment. */
export interface GitRefs {
  /** The default branch first, then the others by name. */
  readonly branches: readonly GitRef[];
  /** All tags of the repository, shown or not. */
  readonly tags: readonly GitRef[];
  /** Whether all tags are shown; otherwise only those whose commit a branch reaches. */
  readonly hasAllTags: boolean;
  readonly defaultBranch: string | null;
  /** The commit of a detached HEAD; `null` if HEAD is on a branch. */
  readonly detachedHead: string | null;
  readonly shallow: readonly string[];
  readonly digest: string;
  readonly warnings: readonly string[];
}

const HEADS = 'refs/heads/';
const TAGS = 'refs/tags/';
const USUAL = ['main', 'master'];

/** A line of `for-each-ref`. `target`: where a symbolic ref leads; `''` for others. */
type ListedRef = GitRef & { readonly target: string };

async function readRefs(git: Git, repository: FolderRepository, scope: BranchScope): Promise<GitRefs> {
  const [text, head, shallow] = await Promise.all([
    git.text(['for-each-ref', '--format=%(objectname) %(refname) %(symref)', scope.folder, TAGS, remoteHeadOf(scope)]),
    branchInHead(repository.gitDir).then((branch) => branch ?? git.answer(['symbolic-ref', '--quiet', 'HEAD'])),
    shallowEdge(repository),
  ]);
  const listed = text.split('\n').map((line): ListedRef => {
    const [sha = '', name = '', target = ''] = line.split(' ');
    return { sha, name, target };
  });
  const tags = refsUnder(TAGS, listed);
  const { branches, warnings } = shownBranches(listed, scope);
  const defaultBranch = defaultBranchOf(branches, listed, head, scope);
  const detachedHead = scope.isWhole && head === null ? await git.answer(['rev-parse', '--quiet', '--verify', 'HEAD^{commit}']) : null;
  const ordered = [...branches].sort((a, b) => Number(b.name === defaultBranch) - Number(a.name === defaultBranch) || compareText(a.name, b.name));
  // The scope is part of the hash, because the same refs with another scope show other tags.
  const digest = hash('sha256', JSON.stringify([scope.remote, scope.isWhole, ordered, tags, defaultBranch, detachedHead, shallow]), 'hex');
  return { branches: ordered, tags, hasAllTags: scope.isWhole, defaultBranch, detachedHead, shallow, digest, warnings };
}

function remoteHeadOf({ remote }: BranchScope): string {
  return `refs/remotes/${remote ?? 'origin'}/HEAD`;
}

function shownBranches(listed: readonly ListedRef[], { remote, folder, patterns, isBranch }: BranchScope): Pick<GitRefs, 'branches' | 'warnings'> {
  // A symbolic ref of a remote, such as its HEAD, is not a branch there, and can point at a branch that was never pushed.
  const candidates = remote === null ? listed : listed.filter(({ target }) => target === '');
  const known = refsUnder(folder, candidates).filter(({ name }) => isBranch(name));
  if (remote !== null && known.length === 0) {
    const remedy = `run git fetch ${remote} there, or write branches: local to show the folder's own branches`;
    return { branches: [], warnings: [`no branch of the remote "${remote}" has been fetched or pushed yet, so nothing is shown: ${remedy}`] };
  }
  if (patterns === null) return { branches: known, warnings: [] };
  const idle = patterns.filter((pattern) => !known.some(({ name }) => matchesBranch(pattern, name)));
  return {
    branches: known.filter(({ name }) => patterns.some((pattern) => matchesBranch(pattern, name))),
    warnings: idle.map((pattern) => `no branch matches "${pattern}" of the key branches`),
  };
}

function refsUnder(folder: string, listed: readonly ListedRef[]): GitRef[] {
  return listed.filter(({ name }) => name.startsWith(folder)).map(({ name, sha }) => ({ name: name.slice(folder.length), sha }));
}

/** The branch of HEAD or, in a working copy, where that is only the present work, of the remote. Where it does not exist, the usual names, then the only branch. @param head `null` if detached */
function defaultBranchOf(branches: readonly GitRef[], listed: readonly ListedRef[], head: string | null, scope: BranchScope): string | null {
  const targetOf = (ref: string): string => listed.find(({ name }) => name === ref)?.target ?? '';
  const remoteHead = remoteHeadOf(scope);
  const ofRemote = nameBelow(remoteHead.slice(0, -'HEAD'.length), targetOf(remoteHead));
  // An old name of a branch can be a symbolic ref that leads to the new one.
  const ofHead = head === null ? null : nameBelow(HEADS, targetOf(head) || head);
  const only = branches.length === 1 ? branches.map(({ name }) => name) : [];
  const own = head === null ? [] : [ofHead, ...USUAL, ...only];
  const candidates = [ofRemote, ...(scope.remote === null ? own : [...USUAL, ofHead, ...only])];
  return candidates.find((candidate) => branches.some(({ name }) => name === candidate)) ?? null;
}

function nameBelow(folder: string, ref: string): string | null {
  return ref.startsWith(folder) ? ref.slice(folder.length) : null;
}

/** The branch that the file HEAD of a repository names; `null` if only git can tell. A repository that keeps its refs in tables names a branch that no one can have. */
export async function branchInHead(gitDir: string): Promise<string | null> {
  const [, branch = null] = /^ref: (refs\/heads\/[^\s.]\S*)\n$/.exec(await readFile(join(gitDir, 'HEAD'), 'utf8').catch(() => '')) ?? [];
  return branch;
}

export async function shallowEdge({ commonDir }: Pick<FolderRepository, 'commonDir'>): Promise<string[]> {
  try {
    return (await readFile(join(commonDir, 'shallow'), 'latin1')).split('\n').filter(Boolean).sort();
  } catch (error) {
    if (errorCodeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

/** `head`: the branch of HEAD, such as `refs/heads/main`; `null` if HEAD is detached. `tooLong`: the names that cannot be fetched, because no file system can hold them. */
export type RemoteRefs = ReturnType<typeof parseRemote>;

const SYMREF = /^ref: (refs\/heads\/\S+)\tHEAD$/m;
const REF = /^([0-9a-f]{40}|[0-9a-f]{64})\t([^\n]+)$/gm;
const SHA256_LENGTH = 64;
/** Git keeps a ref in a file with its name, beside one with `.lock` behind it. File systems allow 255 bytes for each part of a path, and Linux 4,095 for the whole. */
const MOST_PART_BYTES = 250;
const MOST_NAME_BYTES = 3_000;

function isTooLong(name: string): boolean {
  return Buffer.byteLength(name) > MOST_NAME_BYTES || name.split('/').some((part) => Buffer.byteLength(part) > MOST_PART_BYTES);
}

/** @param text lines with the id of an object, a tab and the name of a ref */
export function namedRefs(text: string): ReadonlyMap<string, string> {
  return new Map([...text.matchAll(REF)].map(([, sha = '', name = '']) => [name, sha]));
}

export function parseRemote(text: string) {
  const named = namedRefs(text);
  const headSha = named.get('HEAD') ?? null;
  const all = [...named].filter(([name]) => /^refs\/(heads|tags)\//.test(name) && !name.endsWith('^{}'));
  const refs: ReadonlyMap<string, string> = new Map(all.filter(([name]) => !isTooLong(name)));
  const tooLong = all.flatMap(([name]) => (refs.has(name) ? [] : [name]));
  const head = SYMREF.exec(text)?.[1] ?? branchAt(refs, headSha);
  const isLong = [...named.values()].some((sha) => sha.length === SHA256_LENGTH);
  return { head, detachedHead: head === null ? headSha : null, refs, tooLong, objectFormat: isLong ? 'sha256' : 'sha1' } as const;
}

/** Whether the clone must be updated, because refs were added, changed or removed. */
export function asksForFetch({ refs, detachedHead }: RemoteRefs, own: ReadonlyMap<string, string>): boolean {
  return detachedHead !== null || refs.size !== own.size || [...refs].some(([name, sha]) => own.get(name) !== sha);
}

/** Old servers do not report the branch of HEAD. This guesses it among the branches at the same commit. */
function branchAt(refs: ReadonlyMap<string, string>, sha: string | null): string | null {
  const likely = ['refs/heads/main', 'refs/heads/master', ...[...refs.keys()].filter((name) => name.startsWith('refs/heads/'))];
  return likely.find((name) => sha !== null && refs.get(name) === sha) ?? null;
}

export type SourceRefsOptions = ScopeOptions & GitProcessOptions;

/** What a git source shows of a repository at one moment, and how to read more of it. */
export async function readSourceRefs(repository: FolderRepository, options: SourceRefsOptions) {
  const { environment, timeoutMs, signal } = options;
  const git = new Git({ gitDir: repository.gitDir, environment: readingEnvironment(environment), timeoutMs, signal });
  const scope = await branchScope(git, repository, options);
  return { git, scope, refs: await readRefs(git, repository, scope) };
}
