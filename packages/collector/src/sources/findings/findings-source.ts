import { hash } from 'node:crypto';
import { matchesBranch } from '@vitrine/config/internal';
import { nameOfRef, type Finding, type Sync } from '@vitrine/core';
import { putInBatches } from '../../running/record-batches.js';
import { RegisteredSource } from '../../running/registered-source.js';
import type { RunReport, SourceContext } from '../../running/source.js';
import type { BranchScope } from '../git/branch-scope.js';
import type { GitCollection } from '../git/git-collection.js';
import type { GitRefs } from '../git/git-refs.js';
import { originOf, readStoredRefs, type GitSourceOptions } from '../git/git-source.js';
import { publicBranch } from '../git/public-text.js';
import { parseFindingsState, writeFindingsState, type FindingsState } from './findings-state.js';
import { followFindings, type FindingsWorld, type Followed } from './follow-findings.js';
import { History } from './history.js';
import { judgeFindings } from './judge-findings.js';
import { requirePatchIds } from './patch-ids.js';
import { ClosedBranches, type ReadPullRequests } from './pull-requests.js';
import { type Branches, readBranches, readMissingNotes } from './read-branches.js';

export interface FindingsSourceOptions extends GitSourceOptions {
  readonly pullRequests?: ReadPullRequests;
}

/**
 * Findings about the branches of a repository. It reads the folder or the clone of a git source, as the last run of that source has left it, and the
 * stored findings. The two sources must not run at the same time. Throws a `GitError` if the repository cannot be read; the stored findings then stay.
 */
export class FindingsSource extends RegisteredSource {
  readonly #options: FindingsSourceOptions;
  readonly #memory: FindingsMemory = { history: new History(), warnings: [] };

  constructor(options: FindingsSourceOptions) {
    const { ref, name, intervalMs } = options;
    const id = `finding:${nameOfRef(ref)}`;
    super(`finding ${nameOfRef(ref)}`, intervalMs, { id, sourceType: 'finding', label: name.fullName, repositoryRef: ref, feeds: ['finding'] });
    this.#options = options;
  }

  async run(context: SourceContext): Promise<RunReport> {
    const startedAt = context.clock.now();
    const shown = await readStoredRefs(this.#options, context.signal);
    await requirePatchIds(shown.git, this.#options.environment);
    const closed = new ClosedBranches((await this.#options.pullRequests?.(context)) ?? [], shown.refs.defaultBranch);
    const origin = originOf(this.#options);
    return collectFindings({ context, ...shown, origin, source: this, startedAt, closed, memory: this.#memory });
  }
}

/** What stays in memory between runs. A new process reads it from the repository again. */
interface FindingsMemory {
  history: History;
  /** Those of the last run that read the branches. */
  warnings: readonly string[];
}

interface FindingsCollection extends Omit<GitCollection, 'leftOut' | 'toleratesGaps'> {
  readonly scope: BranchScope;
  readonly closed: ClosedBranches;
  readonly memory: FindingsMemory;
}

/** A larger history would fill the memory, so it is read at each run. */
const MOST_COMMITS_KEPT = 100_000;

/** Increase this if findings are made in a different way, so that all of them are made again. */
const VERSION = 1;

/** Updates the findings of a repository. The sync record is written last, so that the next run completes an interrupted one. */
async function collectFindings(collection: FindingsCollection): Promise<RunReport> {
  const { context, source } = collection;
  const sync = await source.syncIn(context);
  const state = stateFor(collection, sync?.state);
  if (state?.digest !== digestOf(collection)) return collectChanged(collection, sync, state);
  await writeSync(collection, sync, state);
  return { stored: 0, unchanged: state.findings.length, removed: 0, warnings: collection.memory.warnings };
}

/** The stored state. If findings are made in another way by now, no branch counts as read. */
function stateFor(collection: FindingsCollection, text: string | null | undefined): FindingsState | null {
  const state = parseFindingsState(text);
  if (state === null || state.shape === shapeOf(collection)) return state;
  return { ...state, digest: '', findings: state.findings.map((finding) => ({ ...finding, own: '' })) };
}

async function storedFindings({ context, origin }: FindingsCollection): Promise<ReadonlyMap<string, Finding>> {
  const findings = new Map<string, Finding>();
  for await (const finding of context.collection.ofRepository('finding', origin.ref, context)) findings.set(finding.id, finding);
  return findings;
}

async function removeFindings({ context, origin }: FindingsCollection, ids: readonly string[]): Promise<number> {
  const gone = ids.map((id) => ({ kind: 'finding', repositoryRef: origin.ref, id }) as const);
  return gone.length === 0 ? 0 : context.writer.remove(gone, context);
}

async function collectChanged(collection: FindingsCollection, sync: Sync | null, before: FindingsState | null): Promise<RunReport> {
  const { context, refs, scope, source } = collection;
  const world = await observe(collection, before);
  const followed = await followFindings(world);
  const judged = await judgeFindings(world, followed, publicBranch(refs.defaultBranch ?? '') ?? 'The default branch', context.clock.now());
  collection.memory.history = refs.shallow.length === 0 && world.history.size <= MOST_COMMITS_KEPT ? world.history : new History();
  const state = {
    digest: refs.defaultBranch === null ? '' : digestOf(collection),
    shape: shapeOf(collection),
    folder: scope.folder,
    findings: [...followed.untold, ...judged.findings],
  };
  const gone = [...judged.superseded, ...followed.hidden];
  // If the process is killed before the end, the commits are known even if their branch is gone by then.
  if (judged.changed.length + gone.length > 0) await remember(collection, sync, before, followed);
  const { refused, stored } = await putInBatches(judged.changed, context.clock.now(), context);
  const removed = await removeFindings(collection, gone);
  await writeSync(collection, sync, state);
  const warnings = [...world.branches.warnings, ...refused].map((warning) => `${source.id}: ${warning}`);
  collection.memory.warnings = warnings;
  return { stored, unchanged: state.findings.length - stored, removed, warnings };
}

async function observe(collection: FindingsCollection, state: FindingsState | null): Promise<FindingsWorld> {
  const { git, refs, origin, scope, memory, closed } = collection;
  // At the end of a shallow clone, the parents of a commit are unknown only for now.
  const history = refs.shallow.length === 0 ? memory.history : new History();
  const branches = refs.defaultBranch === null ? incomparable(refs) : await readBranches(history, git, refs, refs.defaultBranch);
  const stored = await storedFindings(collection);
  const world = { git, history, branches, origin, state, stored, closed, isShown: isShownBy(scope, state) };
  if (stored.size > 0 || branches.live.some(({ own }) => own.length > 0)) await readMissingNotes(history, git, refs.shallow);
  return world;
}

const NO_DEFAULT = 'the default branch is unknown or not shown, so no branch can be compared with it; add it to the key branches';

/** Without a default branch nothing can be compared, but hidden branches still lose their findings. */
function incomparable({ branches }: GitRefs): Branches {
  const names = branches.map(({ name }) => name);
  return { defaultTip: null, live: [], untold: new Set(names), tags: [], warnings: names.length === 0 ? [] : [NO_DEFAULT] };
}

/** A branch that is gone and that the configuration would hide now must not be named any more. */
function isShownBy({ folder, patterns }: BranchScope, state: FindingsState | null): (branch: string) => boolean {
  if (state !== null && state.folder !== folder) return () => false;
  return (branch) => patterns?.some((pattern) => matchesBranch(pattern, branch)) ?? true;
}

/** Stores the state before anything is written. The next run reads all branches again, and repeats the removals of this run. */
async function remember(
  { context, scope, source }: FindingsCollection,
  sync: Sync | null,
  state: FindingsState | null,
  followed: Followed,
): Promise<void> {
  const findings = [...followed.untold, ...[...followed.present, ...followed.past].map((matter) => matter.followed)];
  const text = writeFindingsState({ digest: '', shape: '', folder: state?.folder ?? scope.folder, findings });
  await source.remember(sync, text, context);
}

async function writeSync(collection: FindingsCollection, before: Sync | null, state: FindingsState): Promise<void> {
  const { context, source, startedAt } = collection;
  await source.complete(before, { at: startedAt, state: writeFindingsState(state) }, context);
}

function shapeOf({ origin: { ref, name, addresses, label } }: FindingsCollection): string {
  return hashOf([VERSION, ref, name.fullName, addresses.commit('0'), label]);
}

function digestOf(collection: FindingsCollection): string {
  const { refs, scope, closed } = collection;
  return hashOf([shapeOf(collection), scope.folder, scope.patterns, refs.digest, closed.digest]);
}

function hashOf(values: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(values), 'base64url');
}
