import { createHash } from 'node:crypto';
import { publishableRecord, sameValue, type Finding, type Instant, type Sync } from '@vitrine/core';
import { matchesBranch } from '@vitrine/config/internal';
import type { BranchScope } from '../git/branch-scope.js';
import type { GitOrigin } from '../git/git-origin.js';
import type { GitRefs } from '../git/git-refs.js';
import type { Git } from '../git/git.js';
import { publicBranch } from '../git/public-text.js';
import { putInBatches } from '../documents/put-in-batches.js';
import type { RunReport, SourceContext } from '../source.js';
import { completedSync, pendingSync, type Registration } from '../sync-records.js';
import { DefaultBranch } from './default-branch.js';
import { findingRecord } from './finding-record.js';
import { parseFindingsState, writeFindingsState, type FindingsState, type FollowedFinding } from './findings-state.js';
import { followFindings, isToldOtherwise, readPatchesInto, type FindingsWorld, type Followed } from './follow-findings.js';
import { keysOf, type FollowedMatter } from './followed.js';
import type { HistoryFile } from './history-file.js';
import { History } from './history.js';
import { readBranches } from './read-branches.js';
import { readNotesInto } from './read-history.js';
import { revertedIn } from './reverts.js';
import { verdictOf } from './verdict.js';

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
}

/** Increase this if findings are made in a different way, so that all of them are made again. */
const VERSION = 1;
/** Of longer histories, only the last commits are compared with the changes of branches. */
const MOST_COMPARED = 200_000;

/** Updates the findings of a repository. The sync record is written last, so that the next run completes an interrupted one. */
export async function collectFindings(collection: FindingsCollection): Promise<RunReport> {
  const { context, refs, origin, source } = collection;
  const sync = await context.collection.sync(source.registration.id, context);
  const state = sync?.repositoryRef === origin.ref ? parseFindingsState(sync.state) : null;
  const digest = digestOf(collection);
  if (refs.defaultBranch !== null && state?.digest !== digest) return collectChanged(collection, { sync, state, defaultBranch: refs.defaultBranch });
  const same = state ?? { digest, folder: collection.scope.folder, findings: [] };
  await writeSync(collection, sync, same);
  const warnings = refs.defaultBranch === null && refs.branches.length > 0 ? [noDefaultBranch(collection)] : [];
  return { stored: 0, unchanged: same.findings.length, removed: 0, warnings };
}

function noDefaultBranch({ source }: FindingsCollection): string {
  return `${source.id}: the default branch is unknown or not shown, so no branch can be compared with it; add it to the key branches`;
}

interface Former {
  readonly sync: Sync | null;
  readonly state: FindingsState | null;
  readonly defaultBranch: string;
}

async function collectChanged(collection: FindingsCollection, { sync, state, defaultBranch }: Former): Promise<RunReport> {
  const { context, git, refs, origin, scope, source, file } = collection;
  // At the end of a shallow clone, the parents of a commit are unknown only for now.
  const history = refs.shallow.length === 0 ? await file.read() : new History();
  const branches = await readBranches(history, git, refs, defaultBranch);
  const stored = new Map((await context.collection.findings(origin.ref, context)).map((finding) => [finding.id, finding]));
  const isShown = isShownBy(scope, state);
  const world: FindingsWorld = { git, history, branches, origin, state, stored, isShown };
  if (stored.size > 0 || branches.live.some(({ own }) => own.length > 0)) await readMissingNotes(world, refs.shallow);
  const followed = await followFindings(world);
  const judged = await judge(world, followed, publicBranch(defaultBranch) ?? 'The default branch', context.clock.now());
  if (refs.shallow.length === 0) await file.write(history);
  const remembered = { folder: scope.folder, findings: [...followed.untold, ...judged.findings] };
  const isSame = judged.changed.length === 0 && judged.superseded.length === 0 && followed.hidden.length === 0;
  // If the process is killed before the end, the commits are known even if their branch is gone by then.
  if (!isSame) await remember(collection, sync, { ...remembered, digest: '' }, followed.fresh);
  const { refused, stored: count } = await putInBatches(judged.changed, context.clock.now(), context);
  const gone = [...judged.superseded, ...followed.hidden].map((id) => ({ kind: 'finding', repositoryRef: origin.ref, id }) as const);
  const removed = gone.length === 0 ? 0 : await context.writer.remove(gone, context);
  await writeSync(collection, sync, { ...remembered, digest: digestOf(collection) });
  const warnings = [...branches.warnings, ...refused].map((warning) => `${source.id}: ${warning}`);
  return { stored: count, unchanged: remembered.findings.length - count, removed, warnings };
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

/** The outcome of a run. */
interface Judged {
  readonly findings: readonly FollowedFinding[];
  readonly changed: readonly Finding[];
  /** The ids of findings that others have replaced. */
  readonly superseded: readonly string[];
}

async function judge(world: FindingsWorld, { present, past }: Followed, defaultBranch: string, observedAt: Instant): Promise<Judged> {
  const main = await comparable(world, [...present, ...past]);
  const isPresent = new Set(present.map(({ followed }) => followed.id));
  const findings: FollowedFinding[] = [];
  const changed: Finding[] = [];
  const superseded: string[] = [];
  for (const { followed, matter } of [...present, ...past]) {
    const verdict = verdictOf(followed, main, isPresent.has(followed.id) ? revertedOn(followed.branch, world) : null);
    if (verdict.status === 'UNKNOWN' && isToldOtherwise(followed, world)) {
      superseded.push(followed.id);
      continue;
    }
    const held = 'held' in verdict && !verdict.areOwn ? verdict.held : followed.held;
    findings.push({ ...followed, held });
    const before = world.stored.get(followed.id) ?? null;
    if (verdict.status === 'UNKNOWN' && isFinal(followed, before)) continue;
    const record = publishableRecord(findingRecord(matter, verdict, before, { ...world.origin, defaultBranch }, observedAt));
    if (typeof record !== 'string' && !isSameFinding(record, before)) changed.push(record);
  }
  return { findings, changed, superseded };
}

/** The default branch, with the patch ids of all commits that may make one of the changes. */
async function comparable({ git, history, branches }: FindingsWorld, matters: readonly FollowedMatter[]): Promise<DefaultBranch> {
  const keys = new Set(matters.flatMap(({ followed }) => keysOf(followed)));
  const main = new DefaultBranch(history, branches.defaultTip, { tags: branches.tags, keys });
  await readPatchesInto(history, git, [...new Set(matters.flatMap(({ followed }) => main.candidates(followed.bases, keysOf(followed))))]);
  return main;
}

/** The commits of a branch that the branch itself reverts. */
function revertedOn(name: string, { history, branches }: FindingsWorld): ReadonlySet<string> {
  const own = branches.live.find((branch) => branch.name === name)?.own ?? [];
  if (!own.some((place) => (history.noteAt(place)?.reverts ?? []).length > 0)) return new Set();
  const marks = new Uint8Array(history.size);
  for (const place of own) marks[place] = 1;
  return new Set([...revertedIn(history, marks)].map((place) => history.shaAt(place)));
}

/** Whether nothing is known that could contradict what was found once. */
function isFinal({ count }: FollowedFinding, before: Finding | null): boolean {
  return before?.status === 'RETRACTED' || (count === null && before?.status !== 'EXPERIMENTAL');
}

/** The time of observation alone is no change. */
function isSameFinding(record: Finding, before: Finding | null): boolean {
  if (before === null) return false;
  const { observedAt } = before.provenance;
  return sameValue({ ...record, provenance: { ...record.provenance, observedAt } }, before);
}

async function remember(collection: FindingsCollection, sync: Sync | null, state: FindingsState, fresh: ReadonlySet<string>): Promise<void> {
  const { context, source } = collection;
  // The next run reads the branches of fresh findings again.
  const findings = state.findings.map((finding) => (fresh.has(finding.id) ? { ...finding, own: '' } : finding));
  const pending = pendingSync(source.registration, source.intervalMs);
  const before = sync?.repositoryRef === pending.repositoryRef ? sync : pending;
  await context.writer.put([{ ...before, state: writeFindingsState({ ...state, findings }) }], context);
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
