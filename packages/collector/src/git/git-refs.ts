import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compareText } from '@vitrine/core';
import { errorCodeOf } from './error-code.js';
import type { FolderRepository } from './folder-repository.js';
import type { Git } from './git.js';

/** A branch or a tag: its name without `refs/heads/` or `refs/tags/`, and the object it points at. */
export interface GitRef {
  readonly name: string;
  readonly sha: string;
}

/** Everything that decides what a repository shows, as it was at one moment. */
export interface GitRefs {
  /** The default branch first, the others by name. */
  readonly branches: readonly GitRef[];
  readonly tags: readonly GitRef[];
  readonly defaultBranch: string | null;
  /** The commit of a HEAD that stands on no branch. */
  readonly detachedHead: string | null;
  /** The commits whose parents were not fetched. */
  readonly shallow: readonly string[];
  /** Of all of this. */
  readonly digest: string;
}

const HEADS = 'refs/heads/';
const TAGS = 'refs/tags/';

export async function readRefs(git: Git, repository: FolderRepository): Promise<GitRefs> {
  const [listed, headRef, headSha, originHead, shallow] = await Promise.all([
    git.text(['for-each-ref', '--format=%(objectname) %(refname)', HEADS, TAGS]),
    git.answer(['symbolic-ref', '--quiet', 'HEAD']),
    git.answer(['rev-parse', '--quiet', '--verify', 'HEAD^{commit}']),
    git.answer(['symbolic-ref', '--quiet', 'refs/remotes/origin/HEAD']),
    shallowEdge(repository),
  ]);
  const refs = listed.split('\n').filter((line) => line !== '');
  const branches = refsUnder(HEADS, refs);
  const tags = refsUnder(TAGS, refs);
  const defaultBranch = defaultBranchOf(branches, headRef, originHead);
  const detachedHead = headRef === null ? headSha : null;
  const ordered = [...branches].sort((a, b) => Number(b.name === defaultBranch) - Number(a.name === defaultBranch) || compareText(a.name, b.name));
  const digest = createHash('sha256')
    .update(JSON.stringify([ordered, tags, defaultBranch, detachedHead, shallow]))
    .digest('hex');
  return { branches: ordered, tags, defaultBranch, detachedHead, shallow, digest };
}

function refsUnder(folder: string, lines: readonly string[]): GitRef[] {
  return lines.flatMap((line) => {
    const space = line.indexOf(' ');
    const name = line.slice(space + 1);
    return name.startsWith(folder) ? [{ name: name.slice(folder.length), sha: line.slice(0, space) }] : [];
  });
}

/**
 * In a working copy the branch that its origin calls the default, since HEAD is only what somebody works on; else HEAD's. A HEAD that
 * names a branch that was never made, as on a server whose setting nobody changed, gives way to the usual names and to the only branch.
 */
function defaultBranchOf(branches: readonly GitRef[], head: string | null, originHead: string | null): string | null {
  const fallbacks = head === null ? [] : ['main', 'master', ...(branches.length === 1 ? branches.map(({ name }) => name) : [])];
  const candidates = [
    originHead?.replace(/^refs\/remotes\/origin\//, ''),
    head?.startsWith(HEADS) === true ? head.slice(HEADS.length) : undefined,
    ...fallbacks,
  ];
  return candidates.find((candidate) => branches.some(({ name }) => name === candidate)) ?? null;
}

async function shallowEdge({ commonDir }: FolderRepository): Promise<string[]> {
  try {
    const text = await readFile(join(commonDir, 'shallow'), 'latin1');
    return text
      .split('\n')
      .filter((line) => line !== '')
      .sort();
  } catch (error) {
    if (errorCodeOf(error) === 'ENOENT') return [];
    throw error;
  }
}
