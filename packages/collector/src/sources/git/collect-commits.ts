import { type AvailableCommit, type DatedCommit, isDated, isRefusal, readAvailableCommits, readCommits, walkBranches } from './commit-log.js';
import { type GitCollection, type GitOrigin, type Gaps } from './git-collection.js';
import { changeTypeOf, type Commit, type Instant } from '@vitrine/core';
import { MAX_TITLE, officialProvenance, publicAuthor, publicBranch, publicLine, splitMessage } from './public-text.js';
import type { SourceContext } from '../../running/source.js';
import { renamedCommits } from './renamed-commits.js';
import { RecordBatches } from '../../running/record-batches.js';

/** Whether git can now read objects that it could not read at an earlier run. If gaps are not tolerated, throws git's error while it cannot. */
export async function hasClosedGap({ git, toleratesGaps }: GitCollection, { example }: Gaps): Promise<boolean> {
  if (example === null) return false;
  try {
    for await (const commit of readCommits(git, [example], true)) if (commit.sha === example) return true;
    return false;
  } catch (error) {
    if (toleratesGaps && isRefusal(error)) return false;
    throw error;
  }
}

interface CommitFacts extends Pick<AvailableCommit, 'isWhole'> {
  readonly branch: string | null;
  readonly observedAt: Instant;
}

export function commitRecord(raw: DatedCommit, facts: CommitFacts, origin: GitOrigin): Commit {
  const { title, rest } = splitMessage(raw.message);
  const changedPaths = raw.changedPaths.map((path) => publicLine(path, MAX_TITLE));
  return {
    kind: 'commit',
    repositoryRef: origin.ref,
    sha: raw.sha,
    title: title === '' ? '(no message)' : title,
    description: rest,
    authorName: publicAuthor(raw.authorName, MAX_TITLE),
    authorLogin: '',
    branch: facts.branch,
    additions: raw.additions,
    deletions: raw.deletions,
    filesChanged: raw.filesChanged,
    changeType: changeTypeOf(title, changedPaths),
    committedAt: raw.committedAt,
    changedPaths,
    provenance: officialProvenance(origin, {
      sourceUrl: origin.addresses.commit(raw.sha),
      observedAt: facts.observedAt,
      publishedAt: raw.committedAt,
      confidence: facts.isWhole ? 'high' : 'low',
    }),
  };
}

interface CommitsOptions {
  readonly observedAt: Instant;
  /** Commits that were stored without their changes, because the shallow clone ended there. */
  readonly formerEdge: ReadonlySet<string>;
  /** The id of the `.mailmap` by which the authors were named; `null`: none was used. */
  readonly formerMailmap: string | null;
  readonly isNew: boolean;
}

const CHANGES_PER_CALL = 1_000;
const NONE: ReadonlySet<string> = new Set();

export async function collectCommits(collection: GitCollection, options: CommitsOptions) {
  const { context, refs, origin } = collection;
  const [branches, stored] = await Promise.all([shownBranches(collection), context.collection.commitBranches(origin.ref, context)]);
  const edge = new Set(refs.shallow);
  const mailmap = await collection.git.mailmapId();
  const known = options.isNew ? [] : [...branches.keys()].filter((sha) => stored.has(sha));
  const renamed = options.formerMailmap === mailmap ? NONE : await renamedCommits(collection.git, known, options.formerMailmap);
  const isChanged = (sha: string): boolean => renamed.has(sha) || (options.formerEdge.has(sha) && !edge.has(sha));
  const isWanted = (sha: string): boolean => options.isNew || !stored.has(sha) || isChanged(sha);
  const wanted = [...branches.keys()].filter(isWanted);
  const { written, partial, undated } = await storeWanted(collection, wanted, branches, options.observedAt);
  const moved = await moveCommits(collection, branches, stored);
  const isGone = (sha: string): boolean => !branches.has(sha) || undated.has(sha);
  const removed = await removeCommits(collection, [...stored.keys()].filter(isGone));
  const total = branches.size - undated.size;
  return {
    stored: written.stored + moved,
    unchanged: total - written.stored - moved,
    removed,
    total,
    undated: undated.size,
    mailmap,
    /** Those that this run stored without their changes, because git could not read them. */
    gaps: { count: partial.length, example: partial.at(-1) ?? null },
    reached: branches,
  };
}

async function storeWanted(collection: GitCollection, wanted: readonly string[], branches: Branches, observedAt: Instant) {
  const { context, refs, origin } = collection;
  const edge = new Set(refs.shallow);
  const batches = new RecordBatches(context);
  const partial: string[] = [];
  const undated = new Set<string>();
  let done = 0;
  for await (const { commit, isWhole } of readWanted(collection, wanted)) {
    if (isDated(commit)) {
      await batches.add(commitRecord(commit, { branch: branches.get(commit.sha) ?? null, observedAt, isWhole }, origin));
      if (!isWhole && !edge.has(commit.sha)) partial.push(commit.sha);
    } else undated.add(commit.sha);
    if (++done % CHANGES_PER_CALL === 0) context.progress(done, 'commits', wanted.length);
  }
  const written = await batches.finish();
  if (done > 0) context.progress(done, 'commits', wanted.length);
  return { written, undated, partial };
}

/** At the end of a shallow clone, the changes of a commit are unknown. */
async function* readWanted({ git, refs, toleratesGaps }: GitCollection, wanted: readonly string[]): AsyncGenerator<AvailableCommit, void, undefined> {
  const edge = new Set(refs.shallow);
  const inner = wanted.filter((sha) => !edge.has(sha));
  if (toleratesGaps) yield* readAvailableCommits(git, inner);
  else for await (const commit of readCommits(git, inner, true)) yield { commit, isWhole: true };
  const outer = wanted.filter((sha) => edge.has(sha));
  if (outer.length === 0) return;
  for await (const commit of readCommits(await git.withReadableMailmap(), outer, false)) yield { commit, isWhole: false };
}

async function shownBranches({ git, refs }: GitCollection): Promise<ReadonlyMap<string, string | null>> {
  const branches = await walkBranches(git, refs);
  const shown = new Map(refs.branches.map(({ name }) => [name, publicBranch(name)]));
  if ([...shown].every(([name, text]) => name === text)) return branches;
  return new Map([...branches].map(([sha, branch]) => [sha, branch === null ? null : (shown.get(branch) ?? null)]));
}

type Branches = ReadonlyMap<string, string | null>;

async function moveCommits({ context, origin }: GitCollection, branches: Branches, stored: Branches): Promise<number> {
  const changes = [...branches].flatMap(([sha, branch]) => (stored.has(sha) && stored.get(sha) !== branch ? [{ sha, branch }] : []));
  return inParts(changes, context, (part) => context.writer.moveCommits(origin.ref, part, context));
}

async function removeCommits({ context, origin }: GitCollection, shas: readonly string[]): Promise<number> {
  const gone = shas.map((sha) => ({ kind: 'commit', repositoryRef: origin.ref, sha }) as const);
  return inParts(gone, context, (part) => context.writer.remove(part, context));
}

async function inParts<Item>(items: readonly Item[], { signal }: SourceContext, call: (part: readonly Item[]) => Promise<number>): Promise<number> {
  let sum = 0;
  for (let start = 0; start < items.length; start += CHANGES_PER_CALL) {
    signal.throwIfAborted();
    sum += await call(items.slice(start, start + CHANGES_PER_CALL));
  }
  return sum;
}
