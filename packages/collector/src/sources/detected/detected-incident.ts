import { z } from 'zod';
import { parseState } from '../../running/registered-source.js';
import { interpretation } from '../git/public-text.js';
import { DAY, EARLIEST_INSTANT, outageMarks, OutageTimeline, startOfDay, formatInstant, lengthInWords } from '@vitrine/core';
import type { Outage, Check, CheckedDay, Instant, Incident, IncidentUpdate } from '@vitrine/core';

const run = z.object({ from: z.number(), until: z.number(), checks: z.number(), isEnded: z.boolean(), isFollowed: z.boolean() });
const marks = z.object({ source: z.string(), firstAt: z.number(), isMissed: z.boolean(), runs: z.array(run) });
const day = z.object({ day: z.number(), version: z.string(), marks: z.array(marks) });
const known = z.object({ id: z.string(), from: z.number(), until: z.number().nullable(), hash: z.string() });
/** Days that an earlier version remembered in another form are read again. */
const days = z.array(day).catch([]);
const schema = z.record(z.string(), z.object({ name: z.string(), from: z.number(), days, incidents: z.array(known) }));

/** What is remembered of each service, by its key. Days before `from` are forgotten: their incidents stay as they are. */
export type DetectedState = z.output<typeof schema>;
export type ServiceMemory = DetectedState[string];
type RememberedDay = z.output<typeof day>;
/** An incident that the source has stored. The hash is that of its record. */
export type KnownIncident = z.output<typeof known>;

/** A state that cannot be read is empty: everything is read and stored again. */
export function parseDetectedState(text: string | null | undefined): DetectedState {
  return parseState(schema, text) ?? {};
}

/** The state while records are written: it has every incident that was stored or is about to be. A hash that is empty says that its record must be stored again. */
export function stateWhileWriting(before: DetectedState, after: DetectedState): DetectedState {
  const all = { ...before };
  for (const [key, memory] of Object.entries(after)) {
    const known = before[key]?.incidents ?? [];
    const ids = new Set(known.map(({ id }) => id));
    const added = memory.incidents.filter(({ id }) => !ids.has(id)).map((incident) => ({ ...incident, hash: '' }));
    all[key] = { name: memory.name, from: memory.from, days: before[key]?.days ?? [], incidents: [...known, ...added] };
  }
  return all;
}

/** Gives each outage its id. If a late check has moved its start, it keeps the stored id, so that addresses and `covers` stay valid. Of two that became one, the earlier id stays. */
export function namedOutages(key: string, outages: readonly Outage[], known: readonly KnownIncident[]) {
  const left = new Map([...known].sort((a, b) => a.from - b.from).map((incident) => [incident.id, incident]));
  const exact = new Set(outages.map(({ startAt }) => detectedId(key, startAt)).filter((id) => left.delete(id)));
  return outages.map((outage) => {
    const own = detectedId(key, outage.startAt);
    const id = exact.has(own) ? own : (overlapping(outage, left.values())?.id ?? own);
    left.delete(id);
    return { id, outage };
  });
}

function overlapping({ startAt, endAt }: Outage, known: Iterable<KnownIncident>): KnownIncident | undefined {
  return [...known].find(({ from, until }) => from < (endAt ?? Infinity) && startAt < (until ?? Infinity));
}

export type FoundOutages = Awaited<ReturnType<typeof findOutages>>;

/** Finds the outages of a service. Of days that did not change since they were remembered, no check is read. */
export async function findOutages(
  { days, read }: { readonly days: readonly CheckedDay[]; readonly read: (day: Instant) => Promise<readonly Check[]> },
  memory: ServiceMemory,
  present: { readonly now: Instant; readonly keptFrom: Instant },
) {
  const { now } = present;
  const keptFrom = Math.max(present.keptFrom, memory.from);
  // Raw checks of the other incidents may be deleted, so they stay as they are.
  const known = memory.incidents.filter(({ until }) => until === null || until >= keptFrom);
  const neededFrom = startOfDay(Math.min(keptFrom, ...known.map(({ from }) => from)));
  const timeline = new OutageTimeline();
  const used: RememberedDay[] = [];
  const use = (day: RememberedDay): void => {
    timeline.add(day.marks);
    used.push(day);
  };
  for (const day of memory.days.filter(isBetween(neededFrom, keptFrom - 1))) use(day);
  const remembered = new Map(memory.days.map((day) => [day.day, day]));
  for (const listed of days.filter(isBetween(keptFrom, now))) {
    // A day without an outage matters only if it ends one of an earlier day.
    if (listed.outages === 0 && !timeline.isOpen) continue;
    const same = remembered.get(listed.day);
    use(same?.version === listed.version ? same : dayOf(listed, await read(listed.day), now));
  }
  const outages = timeline.outages(now).filter(({ endAt }) => endAt === null || endAt >= keptFrom);
  return { outages, days: used, from: Math.max(memory.from, rememberedFrom(outages)), known };
}

const MOST_REMEMBERED = 1_000;

/** Where days begin to be remembered. A service that fails every few minutes for months must not fill the memory. */
function rememberedFrom(outages: readonly Outage[]): Instant {
  const oldest = outages.at(-MOST_REMEMBERED);
  return oldest === undefined ? EARLIEST_INSTANT : startOfDay(oldest.startAt);
}

function isBetween(from: Instant, to: Instant): (day: Pick<CheckedDay, 'day'>) => boolean {
  return ({ day }) => day >= from && day <= to;
}

/** Checks of the future do not count yet. A day that has some is read again by the next run. */
function dayOf({ day, version }: CheckedDay, checks: readonly Check[], now: Instant): RememberedDay {
  const counted = checks.filter(({ checkedAt }) => checkedAt <= now);
  const marks = outageMarks(counted).map(({ runs, ...rest }) => ({ ...rest, runs: [...runs] }));
  return { day, version: counted.length === checks.length ? version : '', marks };
}

/** The first day whose raw checks are certainly stored: one more than the retention says, because the clocks of processes differ. */
export function firstKeptDay(now: Instant, retentionMs: number): Instant {
  return startOfDay(now - retentionMs) + 2 * DAY;
}

/** The id of an outage that is stored for the first time: the key of the service, and the time of the first check that found it. */
function detectedId(key: string, startAt: Instant): string {
  return `detected:${key}:${timeInId(startAt)}`;
}

export function keyInDetectedId(id: string): string {
  return id.slice('detected:'.length, id.lastIndexOf(':'));
}

/** The time of a first check as the id of its incident ends with it: `20261120T140320Z`. */
export function timeInId(instant: Instant): string {
  return formatInstant(instant).replaceAll(/[-:]|\.000/g, '');
}

/** The record of an outage. The same outage gives the same record at any time. */
export function detectedIncident(id: string, outage: Outage, { key, name, address }: Readonly<Record<'key' | 'name' | 'address', string>>): Incident {
  const { startAt, endAt, confirmingChecks, endUncertain } = outage;
  const updatedAt = endAt ?? startAt;
  return {
    kind: 'incident',
    id,
    title: `Outage of ${name}`,
    incidentKind: 'detected',
    state: endAt === null ? 'investigating' : 'resolved',
    impact: 'major',
    services: [{ key, displayName: name, impacts: [{ state: 'outage', startAt, endAt }] }],
    startedAt: startAt,
    updatedAt,
    resolvedAt: endAt,
    scheduledFor: null,
    scheduledUntil: null,
    announcedAt: null,
    updates: updatesOf(id, outage),
    sourceUrl: null,
    provenance: interpretation('vitrine', { sourceUrl: address, observedAt: updatedAt, confidence: endUncertain ? 'medium' : 'high' }),
    confirmingChecks,
    endUncertain,
  };
}

function updatesOf(id: string, { startAt, endAt, confirmingChecks, endUncertain }: Outage): readonly IncidentUpdate[] {
  const begun = { id: `${id}~1`, state: 'investigating', body: 'Checks found that the service is down.', createdAt: startAt } as const;
  if (endAt === null) return [begun];
  const length = lengthInWords(endAt - startAt, 'en-GB');
  const end = endUncertain
    ? `No valid check is left, so the end of the outage is not known. It is shown for ${length}.`
    : `The outage ended after ${length}.`;
  const found = confirmingChecks === 1 ? 'One check' : `${String(confirmingChecks)} checks`;
  return [{ id: `${id}~2`, state: 'resolved', body: `${end} ${found} confirmed it.`, createdAt: endAt }, begun];
}
