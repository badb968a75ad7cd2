import { publishableRecord, sameValue, type Finding, type Instant } from '@vitrine/core';
import { DefaultBranch } from './default-branch.js';
import { type FindingOrigin, findingRecord } from './finding-record.js';
import type { FollowedFinding } from './findings-state.js';
import { isToldOtherwise, readPatchesInto, type FindingsWorld, type Followed, keysOf, type FollowedMatter } from './follow-findings.js';
import { lowestOf, revertedIn } from './history.js';
import { Pauses } from './patch-ids.js';
import { verdictOf, type Verdict } from './verdict.js';

/** @param defaultBranch its name, for texts */
export async function judgeFindings(world: FindingsWorld, { present, past }: Followed, defaultBranch: string, observedAt: Instant) {
  const matters = [...present, ...past];
  const main = await comparable(world, matters);
  const isPresent = new Set(present.map(({ followed }) => followed.id));
  const newest = newestCommits(matters);
  const pauses = new Pauses();
  const judged: (FollowedMatter & { readonly verdict: Verdict; readonly isSuperseded: boolean })[] = [];
  for (const matter of matters) {
    await pauses.take();
    const { followed } = matter;
    const isPast = !isPresent.has(followed.id);
    const reverted = isPast ? null : revertedOn(followed.branch, world);
    const verdict = verdictOf(followed, main, { reverted, isClosed: isClosed(followed, newest, world) });
    // The branch may go on with the same change in other commits.
    const isReplaceable = isPast && (verdict.status === 'UNKNOWN' || (verdict.status === 'RETRACTED' && verdict.by === 'closing'));
    judged.push({ ...matter, verdict, isSuperseded: isReplaceable && isToldOtherwise(followed, world) });
  }
  const kept = judged.filter(({ isSuperseded }) => !isSuperseded);
  const origin = { ...world.origin, defaultBranch };
  return {
    findings: kept.map(({ followed, verdict }): FollowedFinding => ({ ...followed, held: heldOf(followed, verdict) })),
    /** The records that differ from the stored ones. */
    changed: kept.flatMap((one) => changedRecord(one, one.verdict, world, { origin, observedAt })),
    /** The ids of findings that others have replaced. */
    superseded: judged.filter(({ isSuperseded }) => isSuperseded).map(({ followed }) => followed.id),
  };
}

function heldOf(followed: FollowedFinding, verdict: Verdict): readonly string[] {
  return 'held' in verdict && !verdict.areOwn ? verdict.held : followed.held;
}

/** The record to store; none if the stored one says the same already, or if it must not be published. */
function changedRecord(
  { followed, matter }: FollowedMatter,
  verdict: Verdict,
  world: FindingsWorld,
  { origin, observedAt }: { readonly origin: FindingOrigin; readonly observedAt: Instant },
): readonly Finding[] {
  const before = world.stored.get(followed.id) ?? null;
  if (verdict.status === 'UNKNOWN' && isFinal(followed, before)) return [];
  const record = publishableRecord(findingRecord(matter, verdict, before, origin, observedAt));
  return typeof record === 'string' || isSameFinding(record, before) ? [] : [record];
}

/** The default branch, with the patch ids of all commits that may make one of the changes. */
async function comparable({ git, history, branches }: FindingsWorld, matters: readonly FollowedMatter[]): Promise<DefaultBranch> {
  const keys = new Set(matters.flatMap(({ followed }) => keysOf(followed)));
  const main = new DefaultBranch(history, branches.defaultTip ?? '', { tags: branches.tags, keys });
  const open = matters.filter(({ followed: { held } }) => held.length === 0 || !held.every((sha) => main.contains(sha)));
  const pauses = new Pauses();
  const candidates = new Set<number>();
  for (const { followed } of open) {
    await pauses.take();
    for (const place of main.candidates(followed.bases, keysOf(followed))) candidates.add(place);
  }
  await readPatchesInto(history, git, [...candidates]);
  return main;
}

function revertedOn(name: string, { history, branches }: FindingsWorld): ReadonlySet<string> {
  const own = branches.live.find((branch) => branch.name === name)?.own ?? [];
  if (!own.some((place) => (history.noteAt(place)?.reverts ?? []).length > 0)) return new Set();
  const marks = new Uint8Array(history.size);
  for (const place of own) marks[place] = 1;
  return new Set([...revertedIn(history, marks, lowestOf(own))].map((place) => history.shaAt(place)));
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
  if (before === null) return false;
  const { observedAt } = before.provenance;
  return sameValue({ ...record, provenance: { ...record.provenance, observedAt } }, before);
}
