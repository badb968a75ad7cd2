import { type Instant, MINUTE, earliestOf, firstChange, formatInstant } from '../kinds/instant.js';
import type { Warning } from '../kinds/page.js';
import { NO_REPOSITORY, type ScopeRef } from '../kinds/repository-name.js';
import { type SyncTimes, type SyncedKind, serviceOf } from '../kinds/sync.js';

/** How far an answer can be trusted to be current and whole. */
export type DataStatus = 'fresh' | 'stale' | 'partial' | 'unavailable' | 'unknown';

const PRECEDENCE: readonly DataStatus[] = ['fresh', 'unknown', 'stale', 'partial', 'unavailable'];

/** Of several, the one that counts: unavailable, partial, stale, unknown, fresh. `unknown` when there is none. */
export function combinedStatus(statuses: Iterable<DataStatus>): DataStatus {
  let strongest = -1;
  for (const status of statuses) strongest = Math.max(strongest, PRECEDENCE.indexOf(status));
  return PRECEDENCE[strongest] ?? 'unknown';
}

/** `pending`: no run has ended. `failing`: the last one failed. `late`: none has completed for too long, or the last is dated too far ahead to know its age. */
export const SOURCE_STATES = ['pending', 'failing', 'late', 'fresh'] as const;
export type SourceState = (typeof SOURCE_STATES)[number];

/** A source that runs more often is not late before this, and clocks that differ by less do no harm. */
const LATE_AFTER_MS = 2 * MINUTE;

export function sourceStateOf(sync: SyncTimes, now: Instant): SourceState {
  if (isFailing(sync, now)) return 'failing';
  if (sync.lastSuccessAt === null) return 'pending';
  return isLate(sync, now) ? 'late' : 'fresh';
}

function isFailing(sync: SyncTimes, now: Instant): boolean {
  const { lastAttemptAt, lastSuccessAt, lastFailureAt } = sync;
  if (lastFailureAt === null || lastSuccessAt === null) return lastFailureAt !== null;
  // A clock that was ahead has written one of them, so their order says nothing. A run that completes makes both other times the same.
  if (isAhead(lastSuccessAt, sync, now) || isAhead(lastFailureAt, sync, now)) return lastAttemptAt !== lastSuccessAt;
  return lastFailureAt > lastSuccessAt;
}

function isLate(sync: SyncTimes, now: Instant): boolean {
  const { lastSuccessAt, intervalMs } = sync;
  if (lastSuccessAt === null) return false;
  return isAhead(lastSuccessAt, sync, now) || now - lastSuccessAt > Math.max(2 * intervalMs, LATE_AFTER_MS);
}

/** Whether a time is too far ahead to be believed. Else a source that ran once under a wrong clock would be fresh until that time. */
function isAhead(time: Instant, { intervalMs }: SyncTimes, now: Instant): boolean {
  return time - now > Math.max(intervalMs, LATE_AFTER_MS);
}

/** The first moment after now at which {@link sourceStateOf} gives another state, if no run ends until then; `null` if there is none. */
export function sourceStateChangesAt(sync: SyncTimes, now: Instant): Instant | null {
  const { lastSuccessAt, lastFailureAt } = sync;
  const believed = [lastSuccessAt, lastFailureAt].flatMap((time) => (time === null ? [] : [believedFrom(time, sync)]));
  const late = lastSuccessAt === null ? [] : [lateFrom(lastSuccessAt, sync)];
  return firstChange([...believed, ...late], now, (moment) => sourceStateOf(sync, moment));
}

/** The first moment after now at which {@link isLate} gives another result; `null` if there is none. Every answer computes it for every source. */
function latenessChangesAt(sync: SyncTimes, now: Instant): Instant | null {
  const { lastSuccessAt } = sync;
  if (lastSuccessAt === null) return null;
  const believed = believedFrom(lastSuccessAt, sync);
  if (now < believed) return believed;
  const late = lateFrom(lastSuccessAt, sync);
  return now < late ? late : null;
}

/** The first moment at which a time is not {@link isAhead}. */
function believedFrom(time: Instant, { intervalMs }: SyncTimes): Instant {
  return time - Math.floor(Math.max(intervalMs, LATE_AFTER_MS));
}

function lateFrom(lastSuccessAt: Instant, { intervalMs }: SyncTimes): Instant {
  return lastSuccessAt + Math.floor(Math.max(2 * intervalMs, LATE_AFTER_MS)) + 1;
}

/** Whose sources an answer depends on, beside those of no repository and of no single service. */
export interface SourceScope {
  /** The repository that the answer keeps to; `-` for none. Absent: every repository that the reader was allowed to read. */
  readonly repositoryRef?: ScopeRef;
  /** The service that the answer keeps to. Absent: every service. */
  readonly serviceKey?: string;
}

/** The scope of answers over all approved repositories and all services. */
export const EVERY_SOURCE: SourceScope = {};

/** What an answer is made of. A kind that it does not show and that no source feeds says nothing about it. */
export interface AnswerKinds {
  /** The kinds that the answer is about. */
  readonly kinds: readonly SyncedKind[];
  /** Those that it shows, or that a caller has asked for alone: they count even when no source feeds them. */
  readonly shown: readonly SyncedKind[];
  readonly scope: SourceScope;
}

/** The part of an answer that says how current it is. */
export interface Freshness {
  readonly dataStatus: DataStatus;
  readonly warnings: readonly Warning[];
  /**
   * The next moment at which the answer changes although nothing is written; `null` if there is none: a source becomes late, a check stops being valid, or a UTC day
   * begins. It is never later than the first millisecond at which `dataStatus`, the warnings or a shown state differ; it can be earlier, and can have passed already.
   * Figures of rolling windows, and what is dated in the future, also change without it: a cache must limit the age of its entries.
   */
  readonly changesAt: Instant | null;
}

/**
 * An answer is as fresh as its worst source. A source that never completed a run makes it `partial`, a late one `stale`, also one whose last run is dated
 * in the future; one that fails but is not late yet leaves it `fresh`. A kind that is shown and that no source feeds makes it `unknown`.
 */
export function freshnessOf({ kinds, shown, scope }: AnswerKinds, syncs: readonly SyncTimes[], now: Instant): Freshness {
  const sources = syncs.filter((sync) => isInScope(sync, scope));
  const judged = [...new Set(kinds)].flatMap((kind): Freshness[] => {
    const feeding = sources.filter(({ feeds }) => feeds.includes(kind));
    return feeding.length > 0 || shown.includes(kind) ? [freshnessOfKind(kind, feeding, now)] : [];
  });
  return {
    dataStatus: combinedStatus(judged.map(({ dataStatus }) => dataStatus)),
    warnings: judged.flatMap(({ warnings }) => warnings),
    changesAt: earliestOf(judged.map(({ changesAt }) => changesAt)),
  };
}

function isInScope(sync: SyncTimes, { repositoryRef, serviceKey }: SourceScope): boolean {
  if (repositoryRef !== undefined && sync.repositoryRef !== NO_REPOSITORY && sync.repositoryRef !== repositoryRef) return false;
  const service = serviceOf(sync);
  return serviceKey === undefined || service === null || service === serviceKey;
}

function freshnessOfKind(kind: SyncedKind, sources: readonly SyncTimes[], now: Instant): Freshness {
  const incomplete = sources.filter(({ lastSuccessAt }) => lastSuccessAt === null);
  const late = sources.filter((sync) => isLate(sync, now));
  const warnings = [
    ...(incomplete.length > 0 ? [incompleteWarning(kind, incomplete)] : []),
    ...(late.length > 0 ? [lateWarning(kind, late, now)] : []),
  ];
  return { dataStatus: statusOf(sources, incomplete, late), warnings, changesAt: earliestOf(sources.map((sync) => latenessChangesAt(sync, now))) };
}

function statusOf(sources: readonly unknown[], incomplete: readonly unknown[], late: readonly unknown[]): DataStatus {
  if (sources.length === 0) return 'unknown';
  if (incomplete.length > 0) return 'partial';
  return late.length > 0 ? 'stale' : 'fresh';
}

function incompleteWarning(kind: SyncedKind, sources: readonly SyncTimes[]): Warning {
  const failing = sources
    .filter(({ lastFailureAt }) => lastFailureAt !== null)
    .map(({ firstAttemptAt, lastFailureAt }) => firstAttemptAt ?? lastFailureAt);
  const rest = failing.length === 0 ? 'is running' : `has failed since ${earliest(failing)}`;
  return { code: 'SOURCE_INCOMPLETE', source: kind, detail: `The first collection from a source of ${kind} records ${rest}.` };
}

function lateWarning(kind: SyncedKind, sources: readonly SyncTimes[], now: Instant): Warning {
  const past = sources.flatMap(({ lastSuccessAt }) => (lastSuccessAt === null || lastSuccessAt > now ? [] : lastSuccessAt));
  const detail =
    past.length > 0
      ? `A source of ${kind} records has not completed a run since ${earliest(past)}.`
      : `The last completed run of a source of ${kind} records is dated in the future, so its age is not known.`;
  return { code: 'SOURCE_LATE', source: kind, detail };
}

function earliest(times: readonly (Instant | null)[]): string {
  return formatInstant(Math.min(...times.flatMap((time) => time ?? [])));
}
