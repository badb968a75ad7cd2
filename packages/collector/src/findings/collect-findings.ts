import { createHash } from 'node:crypto';
import type { Instant, Sync } from '@vitrine/core';
import { matchesBranch } from '@vitrine/config/internal';
import type { BranchScope } from '../git/branch-scope.js';
import type { GitOrigin } from '../git/git-origin.js';
import type { GitRefs } from '../git/git-refs.js';
import type { Git } from '../git/git.js';
import { publicBranch } from '../git/public-text.js';
import { putInBatches } from '../documents/put-in-batches.js';
import type { RunReport, SourceContext } from '../source.js';
import { completedSync, pendingSync, type Registration } from '../sync-records.js';
import { parseFindingsState, writeFindingsState, type FindingsState } from './findings-state.js';
import { followFindings, type FindingsWorld, type Followed } from './follow-findings.js';
import type { HistoryFile } from './history-file.js';
import { History } from './history.js';
import { judgeFindings } from './judge-findings.js';
import { readBranches } from './read-branches.js';
import { readNotesInto } from './read-history.js';

/** One run of a source of findings. It works on the refs as they were at one moment. */
export interface FindingsCollection {
  readonly context: SourceContext;
  readonly git: Git;
  readonly scope: BranchScope;
  readonly refs: GitRefs;
  readonly origin: GitOrigin;
  readonly source: { readonly id: string; readonly intervalMs: number; readonly registration: Registration };
  readonly startedAt: Instant;
  readonly file: HistoryFile;
  /** The warnings of the last run in this process that read the branches. */
  readonly told: { warnings: readonly string[] };
}

/** Increase this if findings are made in a different way, so that all of them are made again. */
const VERSION = 1;
/** Of longer histories, only the last commits are compared with the changes of branches. */
const MOST_COMPARED = 200_000;

/** Updates the findings of a repository. The sync record is written last, so that the next run completes an interrupted one. */
export async function collectFindings(collection: FindingsCollection): Promise<RunReport> {
  const { context, refs, origin, source } = collection;
  const sync = await context.collection.sync(source.registration.id, context);
  const former = { sync, state: sync?.repositoryRef === origin.ref ? parseFindingsState(sync.state) : null };
  const { defaultBranch } = refs;
  if (defaultBranch === null) return collectNothing(collection, former, refs.branches.length > 0 ? [noDefaultBranch(source.id)] : []);
  if (former.state?.digest === digestOf(collection)) return collectNothing(collection, former, []);
  return collectChanged(collection, { ...former, defaultBranch });
}

/** What an earlier run has left. */
interface Former {
  readonly sync: Sync | null;
  readonly state: FindingsState | null;
}

function noDefaultBranch(id: string): string {
  return `${id}: the default branch is unknown or not shown, so no branch can be compared with it; add it to the key branches`;
}

/** Leaves everything as it is. */
async function collectNothing(collection: FindingsCollection, { sync, state }: Former, warnings: readonly string[]): Promise<RunReport> {
  const same = state ?? { digest: '', folder: collection.scope.folder, findings: [] };
  await writeSync(collection, sync, same);
  const standing = collection.told.warnings;
  return { stored: 0, unchanged: same.findings.length, removed: 0, warnings, ...(standing.length > 0 && { standing }) };
}

async function collectChanged(collection: FindingsCollection, former: Former & { readonly defaultBranch: string }): Promise<RunReport> {
  const { context, refs, origin, scope, source } = collection;
  const { observed, world, followed } = await observe(collection, former);
  const defaultBranch = publicBranch(former.defaultBranch) ?? 'The default branch';
  const judged = await judgeFindings(world, followed, { defaultBranch, observedAt: context.clock.now() });
  if (refs.shallow.length === 0) await collection.file.write(world.history);
  const state = { folder: scope.folder, findings: [...followed.untold, ...judged.findings] };
  const gone = [...judged.superseded, ...followed.hidden].map((id) => ({ kind: 'finding', repositoryRef: origin.ref, id }) as const);
  // If the process is killed before the end, the commits are known even if their branch is gone by then.
  if (judged.changed.length + gone.length > 0) await remember(collection, former, followed);
  const { refused, stored } = await putInBatches(judged.changed, context.clock.now(), context);
  const removed = gone.length === 0 ? 0 : await context.writer.remove(gone, context);
  await writeSync(collection, former.sync, { ...state, digest: digestOf(collection) });
  const warnings = [...observed.warnings, ...refused].map((warning) => `${source.id}: ${warning}`);
  collection.told.warnings = warnings;
  return { stored, unchanged: state.findings.length - stored, removed, warnings };
}

/** Reads the history, and which findings there are to judge. */
async function observe(collection: FindingsCollection, { state, defaultBranch }: Former & { readonly defaultBranch: string }) {
  const { context, git, refs, origin, scope, file } = collection;
  // At the end of a shallow clone, the parents of a commit are unknown only for now.
  const history = refs.shallow.length === 0 ? await file.read() : new History();
  const observed = await readBranches(history, git, refs, defaultBranch);
  const stored = new Map((await context.collection.findings(origin.ref, context)).map((finding) => [finding.id, finding]));
  const world: FindingsWorld = { git, history, branches: observed, origin, state, stored, isShown: isShownBy(scope, state) };
  if (stored.size > 0 || observed.live.some(({ own }) => own.length > 0)) await readMissingNotes(world, refs.shallow);
  return { observed, world, followed: await followFindings(world) };
}

/** A branch that is gone and that the configuration would hide now must not be named any more. */
function isShownBy({ folder, patterns }: BranchScope, state: FindingsState | null): (branch: string) => boolean {
  if (state !== null && state.folder !== folder) return () => false;
  return (branch) => patterns?.some((pattern) => matchesBranch(pattern, branch)) ?? true;
}

async function readMissingNotes({ history, git }: FindingsWorld, shallow: readonly string[]): Promise<void> {
  const edge = new Set(shallow);
  const missing: number[] = [];
  for (let place = Math.max(0, history.size - MOST_COMPARED); place < history.size; place++) {
    if (history.noteAt(place) === null && !edge.has(history.shaAt(place))) missing.push(place);
  }
  await readNotesInto(history, git, missing);
}

/** Keeps what is known before anything is written. The next run reads the branches of fresh findings again, and removes again what this run removes. */
async function remember({ context, scope, source }: FindingsCollection, { sync, state }: Former, followed: Followed): Promise<void> {
  const all = [...followed.untold, ...[...followed.present, ...followed.past].map((matter) => matter.followed)];
  const findings = all.map((finding) => (followed.fresh.has(finding.id) ? { ...finding, own: '' } : finding));
  const pending = pendingSync(source.registration, source.intervalMs);
  const before = sync?.repositoryRef === pending.repositoryRef ? sync : pending;
  const text = writeFindingsState({ digest: '', folder: state?.folder ?? scope.folder, findings });
  await context.writer.put([{ ...before, state: text }], context);
}

async function writeSync(collection: FindingsCollection, before: Sync | null, state: FindingsState): Promise<void> {
  const { context, source, startedAt } = collection;
  const completion = { at: startedAt, state: writeFindingsState(state) };
  await context.writer.put([completedSync(source.registration, source.intervalMs, before, completion)], context);
}

/** A hash of everything that the findings depend on. */
function digestOf({ refs, scope, origin }: FindingsCollection): string {
  const { ref, name, addresses, label } = origin;
  const outside = [VERSION, ref, name.fullName, addresses.commit('0'), label, scope.folder, scope.patterns];
  return createHash('sha256')
    .update(JSON.stringify([...outside, refs.digest]))
    .digest('base64url');
}
