import { publishableRecord, sameValue, type Finding, type Instant } from '@vitrine/core';
import { findingRecord, type FindingFrame, type FollowedMatter } from './finding-record.js';
import type { FollowedFinding } from './findings-state.js';
import { keysOf, readPatchesInto, type FindingsWorld } from './follow-findings.js';
import { lowestOf, revertedIn, type HistoryCommit } from './history.js';
import { Pauses } from './patch-ids.js';
import { DefaultBranch, verdictOf, type Verdict } from './verdict.js';

export async function judgeFindings(world: FindingsWorld, matters: readonly FollowedMatter[], defaultBranch: string, observedAt: Instant) {
  const frame = { origin: world.origin, defaultBranch, observedAt };
  const main = await comparable(world, matters);
  const newest = newestCommits(matters);
  const pauses = new Pauses();
  const findings: FollowedFinding[] = [];
  /** The records that differ from the stored ones. */
  const changed: Finding[] = [];
  /** The ids of findings that others have replaced. */
  const superseded: string[] = [];
  for (const matter of matters) {
    await pauses.take();
    const { followed, isPast } = matter;
    const reverted = isPast ? null : revertedOn(followed.branch, world);
    const verdict = verdictOf(followed, main, { reverted, isClosed: isClosed(followed, newest, world) });
    if (isPast && isReplaced(followed, verdict, world)) {
      superseded.push(followed.id);
      continue;
    }
    findings.push(verdict.areOwn ? followed : { ...followed, held: verdict.held });
    changed.push(...changedRecord(matter, verdict, world, frame));
  }
  return { findings, changed, superseded };
}

/** The record to store; none if the stored one says the same already, or if it must not be published. */
function changedRecord(one: FollowedMatter, verdict: Verdict, { stored }: FindingsWorld, frame: FindingFrame): readonly Finding[] {
  const before = stored.get(one.followed.id) ?? null;
  if (verdict.status === 'UNKNOWN' && isFinal(one.followed, before)) return [];
  const record = publishableRecord(findingRecord(one, verdict, before, frame));
  return typeof record === 'string' || isSameFinding(record, before) ? [] : [record];
}

/** Whether all changes of a past finding are still on its branch, for example after a rebase that changed the titles of its commits. Then another finding describes them. */
function isReplaced({ branch, commits }: FollowedFinding, verdict: Verdict, { branches }: FindingsWorld): boolean {
  if (verdict.status !== 'UNKNOWN' && !(verdict.status === 'RETRACTED' && verdict.by === 'closing')) return false;
  const own = branches.live.get(branch)?.own ?? [];
  const patches = new Set(own.flatMap(({ patch }) => patch ?? []));
  return commits.length > 0 && commits.every(({ patch }) => patch !== '' && patches.has(patch));
}

/** The default branch, with the patch ids of all commits that may make one of the changes. */
async function comparable({ git, history, branches }: FindingsWorld, matters: readonly FollowedMatter[]): Promise<DefaultBranch> {
  const keys = new Set(matters.flatMap(({ followed }) => keysOf(followed)));
  const main = new DefaultBranch(history, branches.defaultTip ?? '', { tags: branches.tags, keys });
  const open = matters.filter(({ followed: { held } }) => held.length === 0 || !held.every((sha) => main.contains(sha)));
  const pauses = new Pauses();
  const candidates = new Set<HistoryCommit>();
  for (const { followed } of open) {
    await pauses.take();
    for (const commit of main.candidates(followed.bases, keysOf(followed))) candidates.add(commit);
  }
  await readPatchesInto(git, [...candidates]);
  return main;
}

function revertedOn(name: string, { history, branches }: FindingsWorld): ReadonlySet<string> {
  const own = branches.live.get(name)?.own ?? [];
  if (!own.some(({ note }) => (note?.reverts ?? []).length > 0)) return new Set();
  const marks = new Uint8Array(history.commits.length);
  for (const { place } of own) marks[place] = 1;
  return revertedIn(history, marks, lowestOf(own));
}

/** When the newest commit of each branch was made, by its name and its last commit. */
function newestCommits(matters: readonly FollowedMatter[]): ReadonlyMap<string, Instant> {
  const newest = new Map<string, Instant>();
  for (const { followed, matter } of matters) newest.set(endOf(followed), Math.max(newest.get(endOf(followed)) ?? 0, matter.detectedAt));
  return newest;
}

function endOf({ branch, tip }: FollowedFinding): string {
  return `${tip ?? ''} ${branch}`;
}

/** Whether the branch of a finding ended when its pull request was closed, with the last commit that it had when the finding was made. */
function isClosed(followed: FollowedFinding, newest: ReadonlyMap<string, Instant>, { closed }: FindingsWorld): boolean {
  const { branch, tip } = followed;
  return tip !== null && closed.has(branch, tip, newest.get(endOf(followed)) ?? 0);
}

/** Whether no known fact contradicts the earlier status. */
function isFinal({ count }: FollowedFinding, before: Finding | null): boolean {
  return before?.status === 'RETRACTED' || (count === null && before?.status !== 'EXPERIMENTAL');
}

/** The time of observation alone is no change. */
function isSameFinding(record: Finding, before: Finding | null): boolean {
  return before !== null && sameValue({ ...record, provenance: { ...record.provenance, observedAt: before.provenance.observedAt } }, before);
}
