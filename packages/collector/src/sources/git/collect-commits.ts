import { isRefusal, readAvailableCommits, type AvailableCommit, walkBranches } from './available-commits.js';
import { readCommits, type RawCommit, readCommitDates } from './commit-log.js';
import { type GitCollection, provenanceOf, type GitOrigin } from './git-collection.js';
import { NO_GAPS, type Gaps } from './sync-state.js';
import { changeTypeOf, EARLIEST_INSTANT, LATEST_INSTANT, type Commit, type Instant } from '@vitrine/core';
import { MAX_TITLE, publicAuthor, publicLine, splitMessage, publicBranch } from './public-text.js';
import type { SourceContext } from '../../running/source.js';
import { RecordBatches } from './record-batches.js';

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

/** The gaps of all runs. Gaps of removed commits still count, but the result never exceeds the number of commits. */
export function mergedGaps(before: Gaps = NO_GAPS, { gaps, total }: CommitsReport): Gaps {
  return { count: Math.min(before.count + gaps.count, total), example: gaps.example ?? before.example };
}

/** The data that a commit's record needs besides the commit. */
interface CommitFacts {
  readonly branch: string | null;
  readonly committedAt: Instant;
  readonly observedAt: Instant;
  /** Whether the changes are known. At the end of a shallow clone they are not. */
  readonly isWhole: boolean;
}

export function commitRecord(raw: RawCommit, facts: CommitFacts, origin: GitOrigin): Commit {
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
    committedAt: facts.committedAt,
    changedPaths,
    provenance: provenanceOf(origin, {
      sourceUrl: origin.addresses.commit(raw.sha),
      observedAt: facts.observedAt,
      publishedAt: facts.committedAt,
      confidence: facts.isWhole ? 'high' : 'low',
    }),
  };
}

/** A date from a commit or a tag, limited to the range of times that records can contain. */
export function claimedInstant(milliseconds: number): Instant {
  return Math.min(Math.max(milliseconds, EARLIEST_INSTANT), LATEST_INSTANT);
}

interface CommitsReport {
  readonly stored: number;
  readonly unchanged: number;
  readonly removed: number;
  /** The number of all commits that the branches reach. */
  readonly total: number;
  /** The commits that this run stored without their changes, because git could not read them. */
  readonly gaps: Gaps;
  /** All commits that the branches reach. */
  readonly reached: Pick<ReadonlySet<string>, 'has'>;
}

interface CommitsOptions {
  readonly observedAt: Instant;
  /** Commits that were stored without their changes, because the shallow clone ended there. */
  readonly formerEdge: ReadonlySet<string>;
  /** Whether every record is created again. */
  readonly isNew: boolean;
}

const CHANGES_PER_CALL = 1_000;

/** Stores new commits, updates those whose branch has changed, and removes those that no branch reaches any more. */
export async function collectCommits(collection: GitCollection, options: CommitsOptions): Promise<CommitsReport> {
  const { context, git, refs, origin } = collection;
  const [branches, stored] = await Promise.all([shownBranches(collection), context.collection.commitBranches(origin.ref, context)]);
  const edge = new Set(refs.shallow);
  const isWanted = (sha: string): boolean => options.isNew || !stored.has(sha) || (options.formerEdge.has(sha) && !edge.has(sha));
  const wanted = [...branches.keys()].filter(isWanted);
  const reader = new CommitCollector(collection, options.observedAt, { branches, wanted: wanted.length });
  const inner = wanted.filter((sha) => !edge.has(sha));
  await reader.collect(collection.toleratesGaps ? readAvailableCommits(git, inner) : marked(readCommits(git, inner, true), true));
  const { gaps } = reader;
  const outer = wanted.filter((sha) => edge.has(sha));
  if (outer.length > 0) await reader.collect(marked(readCommits(await git.withReadableMailmap(), outer, false), false));
  const written = await reader.finish();
  const moved = await moveCommits(collection, branches, stored);
  const removed = await removeCommits(collection, branches, stored);
  return {
    stored: written.stored + moved,
    unchanged: branches.size - written.stored - moved,
    removed,
    total: branches.size,
    gaps,
    reached: branches,
  };
}

async function* marked(commits: AsyncIterable<RawCommit>, isWhole: boolean): AsyncGenerator<AvailableCommit> {
  for await (const commit of commits) yield { commit, isWhole };
}

/** The branch of each commit, with the branch names as they are stored. */
async function shownBranches({ git, refs }: GitCollection): Promise<ReadonlyMap<string, string | null>> {
  const branches = await walkBranches(git, refs);
  const shown = new Map(refs.branches.map(({ name }) => [name, publicBranch(name)]));
  if ([...shown].every(([name, text]) => name === text)) return branches;
  return new Map([...branches].map(([sha, branch]) => [sha, branch === null ? null : (shown.get(branch) ?? null)]));
}

/** Turns the output of git into stored records. */
class CommitCollector {
  readonly #collection: GitCollection;
  readonly #observedAt: Instant;
  readonly #branches: ReadonlyMap<string, string | null>;
  readonly #wanted: number;
  readonly #batches: RecordBatches;
  /** Commits whose date git could not print, and whether their changes are known. */
  readonly #undated: (readonly [RawCommit, boolean])[] = [];
  #done = 0;
  #partial = 0;
  #lastPartial: string | null = null;

  /** @param wanted how many commits it will get */
  constructor(collection: GitCollection, observedAt: Instant, { branches, wanted }: { readonly branches: Branches; readonly wanted: number }) {
    this.#collection = collection;
    this.#observedAt = observedAt;
    this.#branches = branches;
    this.#wanted = wanted;
    this.#batches = new RecordBatches(collection.context.writer, collection.context);
  }

  /** The commits so far whose changes are unknown. */
  get gaps(): Gaps {
    return { count: this.#partial, example: this.#lastPartial };
  }

  async collect(commits: AsyncIterable<AvailableCommit>): Promise<void> {
    for await (const { commit: raw, isWhole } of commits) {
      if (!isWhole) [this.#partial, this.#lastPartial] = [this.#partial + 1, raw.sha];
      if (raw.committed === '') this.#undated.push([raw, isWhole]);
      else await this.#add(raw, Number(raw.committed) * 1_000, isWhole);
      if (this.#undated.length >= CHANGES_PER_CALL) await this.#date();
    }
  }

  async finish(): Promise<{ readonly stored: number }> {
    await this.#date();
    const written = await this.#batches.finish();
    if (this.#done > 0) this.#collection.context.progress(this.#done, 'commits', this.#wanted);
    return written;
  }

  async #date(): Promise<void> {
    const undated = this.#undated.splice(0);
    const dates = await readCommitDates(
      this.#collection.git,
      undated.map(([{ sha }]) => sha),
    );
    for (const [raw, isWhole] of undated) await this.#add(raw, dates.get(raw.sha) ?? 0, isWhole);
  }

  async #add(raw: RawCommit, claimed: number, isWhole: boolean): Promise<void> {
    const { origin, context } = this.#collection;
    const branch = this.#branches.get(raw.sha) ?? null;
    const facts = { branch, committedAt: claimedInstant(claimed), observedAt: this.#observedAt, isWhole };
    await this.#batches.add(commitRecord(raw, facts, origin));
    this.#done += 1;
    if (this.#done % CHANGES_PER_CALL === 0) context.progress(this.#done, 'commits', this.#wanted);
  }
}

type Branches = ReadonlyMap<string, string | null>;

async function moveCommits({ context, origin }: GitCollection, branches: Branches, stored: Branches): Promise<number> {
  const changes = [...branches].flatMap(([sha, branch]) => (stored.has(sha) && stored.get(sha) !== branch ? [{ sha, branch }] : []));
  return inParts(changes, context, (part) => context.writer.moveCommits(origin.ref, part, context));
}

async function removeCommits({ context, origin }: GitCollection, branches: Branches, stored: Branches): Promise<number> {
  const gone = [...stored.keys()].filter((sha) => !branches.has(sha)).map((sha) => ({ kind: 'commit', repositoryRef: origin.ref, sha }) as const);
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
