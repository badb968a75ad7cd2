import type { Check } from '../kinds/check.js';
import { type Incident, isUnresolved } from '../kinds/incident.js';
import type { Instant } from '../kinds/instant.js';
import { compareText, grouped } from '../kinds/page.js';
import type { Window } from '../kinds/status-day.js';
import { withoutDuplicates } from './uptime.js';

/** A time during which checks show that a service was down. */
export interface Outage {
  /** The time of the first check that found it. */
  readonly startAt: Instant;
  /** `null` while it lasts. */
  readonly endAt: Instant | null;
  /** The number of checks that found it. */
  readonly confirmingChecks: number;
  /** `true` if no check ended it: the last one that found it stopped being valid. */
  readonly endUncertain: boolean;
}

/** A time during which the checks of one source show an outage. */
export interface OutageRun {
  readonly from: Instant;
  /** The time of the check that ended it, or the end of the validity of its last check. */
  readonly until: Instant;
  readonly checks: number;
  /** Whether a check ended it. Otherwise a later check can. */
  readonly isEnded: boolean;
  /** Whether a later check of the source says something else, also one after the validity. Then a missed heartbeat begins another outage. */
  readonly isFollowed: boolean;
}

/** What the checks of one source say about outages. */
export interface OutageMarks {
  readonly source: string;
  /** The time of the first check that counts. It may end a run that began before. */
  readonly firstAt: Instant;
  /** Whether that check is a missed heartbeat. It continues a run also after the validity: while nobody could hear the service, it said nothing else. */
  readonly isMissed: boolean;
  /** In time order. */
  readonly runs: readonly OutageRun[];
}

/** The `rawState` of a heartbeat that did not come. */
export const MISSED = 'missed';

/** Only measured checks: statements of a provider about itself are declarations. */
const MEASURED = 'confirmed-from-source';

/**
 * The outages of one service, in time order. It is down while the newest check of any source is an outage and valid, as `currentState` says, and from there to a
 * missed heartbeat that follows. Checks that are `unknown` neither confirm an outage nor end one, and only checks with the source kind `confirmed-from-source` count.
 *
 * @param checks all checks of the service, in any order and with duplicates. Those after `now` do not count yet
 */
export function detectedOutages(checks: readonly Check[], now: Instant): readonly Outage[] {
  const timeline = new OutageTimeline();
  timeline.add(outageMarks(checks.filter(({ checkedAt }) => checkedAt <= now)));
  return timeline.outages(now);
}

/** Summarizes all checks of a service in a part of the time, such as a day, in any order. For an {@link OutageTimeline}. Sorted by source. */
export function outageMarks(checks: readonly Check[]): readonly OutageMarks[] {
  const measured = withoutDuplicates(checks).filter(({ state, provenance }) => state !== 'unknown' && provenance.sourceKind === MEASURED);
  const sources = grouped(measured, ({ provenance }) => provenance.source);
  return [...sources].sort(([a], [b]) => compareText(a, b)).flatMap(([source, own]) => marksOf(source, own));
}

function marksOf(source: string, checks: Check[]): OutageMarks[] {
  const [first, ...later] = checks.sort((a, b) => a.checkedAt - b.checkedAt).map(markOfCheck);
  if (first === undefined) return [];
  const runs = [...first.runs];
  for (const mark of later) append(runs, mark);
  return [{ ...first, source, runs }];
}

type Mark = Omit<OutageMarks, 'source'>;

function markOfCheck({ checkedAt, state, rawState, validForMs }: Check): Mark {
  const run = { from: checkedAt, until: checkedAt + validForMs, checks: 1, isEnded: false, isFollowed: false };
  return { firstAt: checkedAt, isMissed: rawState === MISSED, runs: state === 'outage' ? [run] : [] };
}

/** Adds the runs of later checks. The first of these checks continues or ends the last run. */
function append(runs: OutageRun[], { firstAt, isMissed, runs: later }: Mark): void {
  const open = runs.at(-1);
  const [first, ...rest] = later;
  if (open === undefined || open.isFollowed) runs.push(...later);
  else if (first?.from === firstAt && (isMissed || firstAt <= open.until))
    runs.splice(-1, 1, { ...first, from: open.from, checks: open.checks + first.checks }, ...rest);
  else runs.splice(-1, 1, { ...open, until: Math.min(firstAt, open.until), isEnded: firstAt <= open.until, isFollowed: true }, ...later);
}

/** The outages of one service, from parts of its checks. The result does not depend on where the parts begin and end. */
export class OutageTimeline {
  readonly #runs = new Map<string, OutageRun[]>();

  /** Adds a part. Its checks must be later than those of the parts before. */
  add(part: readonly OutageMarks[]): void {
    for (const marks of part) {
      const runs = this.#runs.get(marks.source);
      if (runs === undefined) this.#runs.set(marks.source, [...marks.runs]);
      else append(runs, marks);
    }
  }

  /** Whether the next check of a source can end a run, or keep it from being continued. */
  get isOpen(): boolean {
    return [...this.#runs.values()].some((runs) => runs.at(-1)?.isFollowed === false);
  }

  /** In time order. */
  outages(now: Instant): readonly Outage[] {
    const united: OutageRun[] = [];
    for (const run of [...this.#runs.values()].flat().sort((a, b) => a.from - b.from)) {
      const last = united.at(-1);
      if (last === undefined || run.from > last.until) united.push(run);
      else united.splice(-1, 1, unionOf(last, run));
    }
    return united.map((run) => outageOf(run, now));
  }
}

/** Of two runs that overlap or touch. The end is known only if a check ended each run that lasted until then. */
function unionOf(a: OutageRun, b: OutageRun): OutageRun {
  const until = Math.max(a.until, b.until);
  const isEnded = [a, b].every((run) => run.until < until || run.isEnded);
  return { ...a, until, checks: a.checks + b.checks, isEnded };
}

function outageOf({ from, until, checks, isEnded }: OutageRun, now: Instant): Outage {
  const isOver = until <= now;
  return { startAt: from, endAt: isOver ? until : null, confirmingChecks: checks, endUncertain: isOver && !isEnded };
}

/** The ids of the incidents of a service that fall into a period, in their order. One that ended when the period began is not of it. Planned maintenance falls into the time for which it is planned. */
export function incidentsIn(incidents: readonly Incident[], serviceKey: string, period: Window): readonly string[] {
  const isOf = (incident: Incident): boolean => incident.services.some(({ key }) => key === serviceKey);
  return incidents.filter((incident) => isOf(incident) && overlaps(timeOf(incident), period)).map(({ id }) => id);
}

/** The start and the end of an incident; infinity if it has not ended. */
function timeOf(incident: Incident): Window {
  const from = incident.scheduledFor ?? incident.startedAt;
  const end = incident.resolvedAt ?? incident.scheduledUntil ?? (isUnresolved(incident) ? Infinity : incident.updatedAt);
  return { from, to: Math.max(from, end) };
}

function overlaps(time: Window, { from, to }: Window): boolean {
  return time.from < to && (time.to > from || time.from >= from);
}
