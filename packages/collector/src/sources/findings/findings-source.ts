import { hash } from 'node:crypto';
import { matchesBranch } from '@vitrine/config/internal';
import { nameOfRef, type Finding, type Instant, type Sync } from '@vitrine/core';
import { putInBatches } from '../../running/record-batches.js';
import { RegisteredSource } from '../../running/registered-source.js';
import type { RunReport, SourceContext } from '../../running/source.js';
import type { BranchScope } from '../git/branch-scope.js';
import type { GitOrigin } from '../git/git-collection.js';
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

/** A larger history would fill the memory, so it is read at each run. */
const MOST_COMMITS_KEPT = 100_000;

/** Increase this if findings are made in a different way, so that all of them are made again. */
const VERSION = 1;

/** One run, and what was stored before it. */
interface FindingsRun extends Awaited<ReturnType<typeof readStoredRefs>> {
  readonly context: SourceContext;
  readonly startedAt: Instant;
  readonly closed: ClosedBranches;
  readonly sync: Sync | null;
  readonly before: FindingsState | null;
  /** A hash of everything that the findings depend on now. */
  readonly digest: string;
}

/** Findings about the branches of a repository, read from what the last run of its git source has left: the two must not run at the same time. Rejects with a `GitError` if it cannot be read. */
export class FindingsSource extends RegisteredSource {
  readonly #options: FindingsSourceOptions;
  readonly #origin: GitOrigin;
  /** A hash of everything outside the repository that the findings depend on. */
  readonly #shape: string;
  /** Stays in memory between runs. A new process reads it from the repository again. */
  #history = new History();
  /** Those of the last run that read the branches. */
  #warnings: readonly string[] = [];

  constructor(options: FindingsSourceOptions) {
    const { ref, name, intervalMs } = options;
    const id = `finding:${nameOfRef(ref)}`;
    super(`finding ${nameOfRef(ref)}`, intervalMs, { id, sourceType: 'finding', label: name.fullName, repositoryRef: ref, feeds: ['finding'] });
    this.#options = options;
    this.#origin = originOf(options);
    this.#shape = hashOf([VERSION, ref, name.fullName, this.#origin.addresses.commit('0'), this.#origin.label]);
  }

  /** Updates the findings of the repository. The sync record is written last, so that the next run completes an interrupted one. */
  async run(context: SourceContext): Promise<RunReport> {
    const startedAt = context.clock.now();
    const shown = await readStoredRefs(this.#options, context.signal);
    await requirePatchIds(shown.git, this.#options.environment);
    const closed = new ClosedBranches((await this.#options.pullRequests?.(context)) ?? [], shown.refs.defaultBranch);
    const sync = await this.syncIn(context);
    const before = this.#stateIn(sync);
    const digest = hashOf([this.#shape, shown.scope.folder, shown.scope.patterns, shown.refs.digest, closed.digest]);
    if (before?.digest !== digest) return this.#collect({ context, ...shown, startedAt, closed, sync, before, digest });
    await this.complete(sync, { at: startedAt, state: writeFindingsState(before) }, context);
    return { stored: 0, unchanged: before.findings.length, removed: 0, warnings: this.#warnings };
  }

  /** The stored state. If findings are made in another way by now, no branch counts as read. */
  #stateIn(sync: Sync | null): FindingsState | null {
    const state = parseFindingsState(sync?.state);
    if (state === null || state.shape === this.#shape) return state;
    return { ...state, digest: '', findings: state.findings.map((finding) => ({ ...finding, own: '' })) };
  }

  async #collect(run: FindingsRun): Promise<RunReport> {
    const { context, digest, refs, scope, startedAt, sync } = run;
    const world = await this.#observe(run);
    const followed = await followFindings(world);
    const judged = await judgeFindings(world, followed.matters, publicBranch(refs.defaultBranch ?? '') ?? 'The default branch', context.clock.now());
    this.#history = refs.shallow.length === 0 && world.history.commits.length <= MOST_COMMITS_KEPT ? world.history : new History();
    const findings = [...followed.untold, ...judged.findings];
    const gone = [...judged.superseded, ...followed.hidden].map((id) => ({ kind: 'finding', repositoryRef: this.#origin.ref, id }) as const);
    // If the process is killed before the end, the commits are known even if their branch is gone by then.
    if (judged.changed.length + gone.length > 0) await this.#rememberAll(run, followed);
    const { refused, stored } = await putInBatches(judged.changed, null, context);
    const removed = await context.writer.remove(gone, context);
    const state = { digest: refs.defaultBranch === null ? '' : digest, shape: this.#shape, folder: scope.folder, findings };
    await this.complete(sync, { at: startedAt, state: writeFindingsState(state) }, context);
    this.#warnings = [...world.branches.warnings, ...refused].map((warning) => `${this.id}: ${warning}`);
    return { stored, unchanged: findings.length - stored, removed, warnings: this.#warnings };
  }

  async #observe({ context, git, refs, scope, closed, before: state }: FindingsRun): Promise<FindingsWorld> {
    // At the end of a shallow clone, the parents of a commit are unknown only for now.
    const history = refs.shallow.length === 0 ? this.#history : new History();
    const branches = refs.defaultBranch === null ? incomparable(refs) : await readBranches(history, git, refs, refs.defaultBranch);
    const stored = new Map<string, Finding>();
    for await (const finding of context.collection.ofRepository('finding', this.#origin.ref, context)) stored.set(finding.id, finding);
    if (stored.size > 0 || [...branches.live.values()].some(({ own }) => own.length > 0)) await readMissingNotes(history, git, refs.shallow);
    return { git, history, branches, origin: this.#origin, remembered: state?.findings ?? [], stored, closed, isShown: isShownBy(scope, state) };
  }

  /** Stores the state before anything is written. The next run reads all branches again, and repeats the removals of this run. */
  #rememberAll({ context, scope, sync, before }: FindingsRun, { untold, matters }: Followed): Promise<void> {
    const findings = [...untold, ...matters.map(({ followed }) => followed)];
    const state = { digest: '', shape: '', folder: before?.folder ?? scope.folder, findings };
    return this.remember(sync, writeFindingsState(state), context);
  }
}

const NO_DEFAULT = 'the default branch is unknown or not shown, so no branch can be compared with it; add it to the key branches';

/** Without a default branch nothing can be compared, but hidden branches still lose their findings. */
function incomparable({ branches }: GitRefs): Branches {
  const names = branches.map(({ name }) => name);
  return { defaultTip: null, live: new Map(), untold: new Set(names), tags: [], warnings: names.length === 0 ? [] : [NO_DEFAULT] };
}

/** A branch that is gone and that the configuration would hide now must not be named any more. */
function isShownBy({ folder, patterns }: BranchScope, state: FindingsState | null): (branch: string) => boolean {
  if (state !== null && state.folder !== folder) return () => false;
  return (branch) => patterns?.some((pattern) => matchesBranch(pattern, branch)) ?? true;
}

function hashOf(values: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(values), 'base64url');
}
