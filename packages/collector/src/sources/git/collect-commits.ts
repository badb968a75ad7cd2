import { isDated, isRefusal, readAvailableCommits, readCommits, renamedCommits, walkBranches } from './commit-log.js';
import type { DatedCommit, RawCommit } from './commit-log.js';
import type { GitCollection, GitOrigin, Gaps } from './git-collection.js';
import { changeTypeOf, type Commit, type Instant } from '@vitrine/core';
import { MAX_TITLE, officialProvenance, publicAuthor, publicLine, splitMessage } from './public-text.js';
import type { SourceContext } from '../../running/source.js';
import { RecordBatches } from '../../running/record-batches.js';

/** Whether git can now read objects that it could not read at an earlier run. If gaps are not tolerated, throws git's error while it cannot. */
export async function hasClosedGap({ git, toleratesGaps }: Pick<GitCollection, 'git' | 'toleratesGaps'>, { example }: Gaps): Promise<boolean> {
  if (example === null) return false;
  try {
    for await (const commit of readCommits(git, [example], true)) if (commit.sha === example) return true;
    return false;
  } catch (error) {
    if (toleratesGaps && isRefusal(error)) return false;
    throw error;
  }
}

type CommitFacts = Pick<Commit, 'branch'> & { readonly observedAt: Instant };

export function commitRecord(
  { sha, committedAt, additions, deletions, filesChanged, message, authorName, changedPaths: paths, isWhole }: DatedCommit,
  { branch, observedAt }: CommitFacts,
  origin: GitOrigin,
): Commit {
  const { title, rest } = splitMessage(message);
  const changedPaths = paths.map((path) => publicLine(path, MAX_TITLE));
  return {
    kind: 'commit',
    repositoryRef: origin.ref,
    ...{ sha, committedAt, additions, deletions, filesChanged },
    title: title === '' ? '(no message)' : title,
    description: rest,
    authorName: publicAuthor(authorName, MAX_TITLE),
    authorLogin: '',
    branch,
    changeType: changeTypeOf(title, changedPaths),
    changedPaths,
    provenance: officialProvenance(origin, {
      sourceUrl: origin.addresses.commit(sha),
      observedAt,
      publishedAt: committedAt,
      confidence: isWhole ? 'high' : 'low',
    }),
  };
}

const CHANGES_PER_CALL = 1_000;

export async function collectCommits(collection: GitCollection) {
  const { context, git, refs, origin, known, isNew } = collection;
  const [branches, stored] = await Promise.all([walkBranches(git, refs), context.collection.commitBranches(origin.ref, context)]);
  const edge = new Set(refs.shallow);
  const mailmap = await git.mailmapId();
  const kept = isNew ? [] : [...branches.keys()].filter((sha) => stored.has(sha));
  // Where the shallow clone ended, commits were stored without their changes.
  const changed = new Set([...known.edge.filter((sha) => !edge.has(sha)), ...(await renamedCommits(git, kept, known.mailmap, mailmap))]);
  const wanted = [...branches.keys()].filter((sha) => isNew || !stored.has(sha) || changed.has(sha));
  const { written, partial, undated } = await storeWanted(collection, wanted, branches);
  const changes = [...branches].flatMap(([sha, branch]) => (stored.has(sha) && stored.get(sha) !== branch ? [{ sha, branch }] : []));
  const moved = await inParts(changes, context, (part) => context.writer.moveCommits(origin.ref, part, context));
  const gone = [...stored.keys()].filter((sha) => !branches.has(sha) || undated.has(sha));
  const identities = gone.map((sha) => ({ kind: 'commit', repositoryRef: origin.ref, sha }) as const);
  const removed = await inParts(identities, context, (part) => context.writer.remove(part, context));
  const total = branches.size - undated.size;
  const { count, example } = known.gaps;
  return {
    stored: written.stored + moved,
    unchanged: total - written.stored - moved,
    removed,
    total,
    undated: undated.size,
    mailmap,
    /** Gaps of commits that were removed still count, but never more than there are commits. */
    gaps: { count: Math.min(count + partial.length, total), example: partial.at(-1) ?? example },
    reached: branches,
  };
}

/** `partial`: the commits that were stored without their changes, because git could not read them. */
async function storeWanted(collection: GitCollection, wanted: readonly string[], branches: ReadonlyMap<string, string | null>) {
  const { context, origin, refs, observedAt } = collection;
  const edge = new Set(refs.shallow);
  const batches = new RecordBatches(context);
  const partial: string[] = [];
  const undated = new Set<string>();
  let done = 0;
  for await (const commit of readWanted(collection, wanted, edge)) {
    if (isDated(commit)) {
      await batches.add(commitRecord(commit, { branch: branches.get(commit.sha) ?? null, observedAt }, origin));
      if (!commit.isWhole && !edge.has(commit.sha)) partial.push(commit.sha);
    } else undated.add(commit.sha);
    if (++done % CHANGES_PER_CALL === 0) context.progress(done, 'commits', wanted.length);
  }
  const written = await batches.finish();
  if (done > 0) context.progress(done, 'commits', wanted.length);
  return { written, undated, partial };
}

/** At the end of a shallow clone, the changes of a commit are unknown. */
async function* readWanted({ git, toleratesGaps }: GitCollection, wanted: readonly string[], edge: ReadonlySet<string>): AsyncGenerator<RawCommit> {
  const inner = wanted.filter((sha) => !edge.has(sha));
  yield* toleratesGaps ? readAvailableCommits(git, inner) : readCommits(git, inner, true);
  const outer = wanted.filter((sha) => edge.has(sha));
  if (outer.length > 0) yield* readCommits(await git.withReadableMailmap(), outer, false);
}

async function inParts<Item>(items: readonly Item[], { signal }: SourceContext, call: (part: readonly Item[]) => Promise<number>): Promise<number> {
  let sum = 0;
  for (let start = 0; start < items.length; start += CHANGES_PER_CALL) {
    signal.throwIfAborted();
    sum += await call(items.slice(start, start + CHANGES_PER_CALL));
  }
  return sum;
}
