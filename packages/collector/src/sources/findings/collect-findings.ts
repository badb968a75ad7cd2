import { hash } from 'node:crypto';
import type { Finding, Sync } from '@vitrine/core';
import { matchesBranch } from '@vitrine/config/internal';
import type { BranchScope } from '../git/branch-scope.js';
import type { GitCollection } from '../git/git-collection.js';
import { publicBranch } from '../git/public-text.js';
import { putInBatches } from '../documents/document-source.js';
import type { RunReport } from '../../running/source.js';
import { completeRun, rememberState } from '../../running/registered-source.js';
import { parseFindingsState, writeFindingsState, type FindingsState, type FollowedFinding } from './findings-state.js';
import { allFollowed, followFindings, type FindingsWorld, type Followed } from './follow-findings.js';
import { type HistoryFile, History } from './history.js';
import { judgeFindings } from './judge-findings.js';
import type { ClosedBranches } from './pull-requests.js';
import { readBranches, readNotesInto } from './read-branches.js';

export interface FindingsCollection extends Omit<GitCollection, 'tagWarnings' | 'toleratesGaps'> {
  readonly scope: BranchScope;
  readonly file: HistoryFile;
  readonly closed: ClosedBranches;
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
  const former = { sync, state: sync?.repositoryRef === origin.ref ? stateFor(collection, sync.state) : null };
  const { defaultBranch } = refs;
  if (defaultBranch === null) return collectHidden(collection, former);
  if (former.state?.digest === digestOf(collection)) return collectNothing(collection, former.sync, former.state);
  return collectChanged(collection, { ...former, defaultBranch });
}

/** The stored state. If findings are made in another way by now, no branch counts as read. */
function stateFor(collection: FindingsCollection, text: string | null): FindingsState | null {
  const state = parseFindingsState(text);
  if (state === null || state.shape === shapeOf(collection)) return state;
  return { ...state, digest: '', findings: state.findings.map((finding) => ({ ...finding, own: '' })) };
}

interface Former {
  readonly sync: Sync | null;
  readonly state: FindingsState | null;
}

async function collectNothing(collection: FindingsCollection, sync: Sync | null, state: FindingsState): Promise<RunReport> {
  await writeSync(collection, sync, state);
  return { stored: 0, unchanged: state.findings.length, removed: 0, warnings: collection.told.warnings };
}

/** Without a default branch nothing can be compared, but hidden branches still lose their findings. */
async function collectHidden(collection: FindingsCollection, { sync, state }: Former): Promise<RunReport> {
  const { refs, scope, origin, source } = collection;
  const [isShown, live] = [isShownBy(scope, state), new Set(refs.branches.map(({ name }) => name))];
  const all = allFollowed({ stored: await storedFindings(collection), origin, state });
  const isHidden = ({ branch }: FollowedFinding): boolean => !live.has(branch) && !isShown(branch);
  const removed = await removeFindings(
    collection,
    all.filter(isHidden).map(({ id }) => id),
  );
  const findings = all.filter((finding) => !isHidden(finding));
  await writeSync(collection, sync, { digest: '', shape: shapeOf(collection), folder: scope.folder, findings });
  const warning = `${source.id}: the default branch is unknown or not shown, so no branch can be compared with it; add it to the key branches`;
  return { stored: 0, unchanged: findings.length, removed, warnings: live.size === 0 ? [] : [warning] };
}

async function storedFindings({ context, origin }: FindingsCollection): Promise<ReadonlyMap<string, Finding>> {
  return new Map((await context.collection.findings(origin.ref, context)).map((finding) => [finding.id, finding]));
}

async function removeFindings({ context, origin }: FindingsCollection, ids: readonly string[]): Promise<number> {
  const gone = ids.map((id) => ({ kind: 'finding', repositoryRef: origin.ref, id }) as const);
  return gone.length === 0 ? 0 : context.writer.remove(gone, context);
}

async function collectChanged(collection: FindingsCollection, former: Former & { readonly defaultBranch: string }): Promise<RunReport> {
  const { context, refs, scope, source } = collection;
  const world = await observe(collection, former);
  const followed = await followFindings(world);
  const defaultBranch = publicBranch(former.defaultBranch) ?? 'The default branch';
  const judged = await judgeFindings(world, followed, { defaultBranch, observedAt: context.clock.now() });
  if (refs.shallow.length === 0) await collection.file.write(world.history);
  const state = {
    digest: digestOf(collection),
    shape: shapeOf(collection),
    folder: scope.folder,
    findings: [...followed.untold, ...judged.findings],
  };
  const gone = [...judged.superseded, ...followed.hidden];
  // If the process is killed before the end, the commits are known even if their branch is gone by then.
  if (judged.changed.length + gone.length > 0) await remember(collection, former, followed);
  const { refused, stored } = await putInBatches(judged.changed, context.clock.now(), context);
  const removed = await removeFindings(collection, gone);
  await writeSync(collection, former.sync, state);
  const warnings = [...world.branches.warnings, ...refused].map((warning) => `${source.id}: ${warning}`);
  collection.told.warnings = warnings;
  return { stored, unchanged: state.findings.length - stored, removed, warnings };
}

async function observe(
  collection: FindingsCollection,
  { state, defaultBranch }: Former & { readonly defaultBranch: string },
): Promise<FindingsWorld> {
  const { git, refs, origin, scope, file, closed } = collection;
  // At the end of a shallow clone, the parents of a commit are unknown only for now.
  const history = refs.shallow.length === 0 ? await file.read() : new History();
  const branches = await readBranches(history, git, refs, defaultBranch);
  const stored = await storedFindings(collection);
  const world = { git, history, branches, origin, state, stored, closed, isShown: isShownBy(scope, state) };
  if (stored.size > 0 || branches.live.some(({ own }) => own.length > 0)) await readMissingNotes(world, refs.shallow);
  return world;
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

/** Stores the state before anything is written. The next run reads all branches again, and repeats the removals of this run. */
async function remember({ context, scope, source }: FindingsCollection, { sync, state }: Former, followed: Followed): Promise<void> {
  const findings = [...followed.untold, ...[...followed.present, ...followed.past].map((matter) => matter.followed)];
  const text = writeFindingsState({ digest: '', shape: '', folder: state?.folder ?? scope.folder, findings });
  await rememberState(source, sync, text, context);
}

async function writeSync(collection: FindingsCollection, before: Sync | null, state: FindingsState): Promise<void> {
  const { context, source, startedAt } = collection;
  await completeRun(source, before, { at: startedAt, state: writeFindingsState(state) }, context);
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
