import { DAY, SECOND, startOfDay, startOfHour, type Instant } from '../../kinds/instant.js';
import type { DayFigures, PastDays, ServiceEvidence } from '../../kinds/service-status.js';
import type { Tally } from '../../kinds/status-day.js';
import type { ChangesSince, StoreChange } from '../../ports/changes.js';
import type { CheckReader, ReadContext } from '../../ports/readers.js';
import type { Deadlines } from '../../ports/store.js';
import { evidenceOf, pastRanges, type PresentChecks } from '../../rules/evidence.js';
import { dayFiguresOf, uptimeWindows } from '../../rules/service-status.js';
import { uptimeWindow } from '../../rules/uptime.js';
import { started } from '../shared/answer.js';

/** What was read of services, for windows that begin at the same hour. */
interface Board {
  readonly hour: Instant;
  /** With the sums of the days that have ended; `null` if there are none. */
  readonly services: ReadonlyMap<string, { readonly present: PresentChecks; readonly past: readonly Tally[] | null }>;
}

/** No client can abort a read that other requests share. */
const DETACHED = new AbortController().signal;
/** After this time, a store that does not answer is asked again. */
const READ_DEADLINE_MS = 5 * SECOND;
/** Pages ask for two numbers of days. */
const MOST_HELD = 4;

export interface ServiceBoardOptions {
  readonly deadlines: Deadlines;
  /** Whether {@link ServiceBoard.hear} is called for every change. Otherwise everything is read for each answer. Default: `false`. */
  readonly isTold?: boolean;
}

/** The evidence about services for the published windows, held in memory: read once, again for a service that has changed, and for all every hour. */
export class ServiceBoard {
  readonly #deadlines: Deadlines;
  readonly #isTold: boolean;
  #board: Board | null = null;
  #reading: Promise<Board> | null = null;
  /** Counts how often everything was forgotten. */
  #version = 0;
  /** The services that have changed, with the first day that did. */
  #changed = new Map<string, Instant>();
  /** By their number: those of a window that begins at that hour. */
  readonly #pastDays = new Map<number, { readonly hour: Instant; readonly days: Promise<PastDays> }>();

  constructor(
    private readonly checks: CheckReader,
    { deadlines, isTold = false }: ServiceBoardOptions,
  ) {
    this.#deadlines = deadlines;
    this.#isTold = isTold;
  }

  /** Call this with everything that a `ChangeFeed` tells, as soon as it does. */
  hear({ isTooOld, changes }: Pick<ChangesSince, 'isTooOld' | 'changes'>): void {
    if (isTooOld) this.forget();
    for (const change of changes) if (change.kind === 'check' || change.kind === 'status-day') this.#hearOf(change);
  }

  #hearOf({ serviceKey, day }: StoreChange): void {
    if (serviceKey === null) {
      this.forget();
      return;
    }
    const since = day ?? -Infinity;
    this.#changed.set(serviceKey, Math.min(since, this.#changed.get(serviceKey) ?? Infinity));
    // A change of the present day changes no day that has ended.
    for (const [count, { hour }] of this.#pastDays) if (since < startOfDay(hour)) this.#pastDays.delete(count);
  }

  /** The next answer reads everything again. */
  forget(): void {
    this.#version++;
    this.#board = null;
    this.#changed.clear();
    this.#pastDays.clear();
  }

  /** The days that have ended of the last `count` UTC dates. They are those of a window of one day less, so the first is cut at its start. */
  pastDays(count: number, now: Instant, context: ReadContext): Promise<PastDays> {
    if (!this.#isTold) return this.#readPastDays(count, now, context);
    const hour = startOfHour(now);
    const known = this.#pastDays.get(count);
    const held =
      known?.hour === hour
        ? known
        : { hour, days: this.#deadlines.run(READ_DEADLINE_MS, DETACHED, (signal) => this.#readPastDays(count, now, { signal })) };
    if (held !== known) {
      if (this.#pastDays.size >= MOST_HELD) this.#pastDays.clear();
      this.#pastDays.set(count, held);
      held.days.catch(() => {
        if (this.#pastDays.get(count) === held) this.#pastDays.delete(count);
      });
    }
    return this.#deadlines.run(READ_DEADLINE_MS, context.signal, () => held.days);
  }

  async #readPastDays(count: number, now: Instant, context: ReadContext): Promise<PastDays> {
    const { from } = uptimeWindow(count - 1, now);
    const firstWhole = Math.ceil(from / DAY) * DAY;
    const [days, cut] = await Promise.all([
      started(() => this.checks.days({ serviceKeys: null, window: { from: firstWhole, to: startOfDay(now), withoutLatency: true } }, context)),
      started(() => this.checks.sums({ serviceKeys: null, ranges: [{ from, to: firstWhole, withoutLatency: true }] }, context)),
    ]);
    const found = new Map<string, Map<Instant, DayFigures>>();
    const set = (key: string, day: Instant, tally: Tally | undefined): void => {
      if (tally !== undefined && isStored(tally)) found.set(key, (found.get(key) ?? new Map<Instant, DayFigures>()).set(day, dayFiguresOf(tally)));
    };
    if (from < firstWhole) for (const [key, [tally]] of cut) set(key, startOfDay(from), tally);
    for (const [key, own] of days) for (const day of own) set(key, day.day, day);
    return found;
  }

  /** Keyed by service key. A service that was never checked is absent. @param serviceKeys `null` means all services */
  async evidence(serviceKeys: readonly string[] | null, now: Instant, context: ReadContext): Promise<ReadonlyMap<string, ServiceEvidence>> {
    const { services } = await this.#services(serviceKeys, now, context);
    const windows = uptimeWindows(now);
    const found = new Map<string, ServiceEvidence>();
    for (const key of serviceKeys ?? services.keys()) {
      const known = services.get(key);
      const evidence = known === undefined ? null : evidenceOf(known.present, known.past, { windows, now });
      if (evidence !== null) found.set(key, evidence);
    }
    return found;
  }

  /** A later page of a history asks for the moment of its first page, which may be in an earlier hour. That is not kept. */
  #services(serviceKeys: readonly string[] | null, now: Instant, context: ReadContext): Promise<Board> {
    if (!this.#isTold || startOfHour(now) < (this.#board?.hour ?? -Infinity)) return this.#read(serviceKeys, now, context);
    return this.#deadlines.run(READ_DEADLINE_MS, context.signal, () => this.#current(now));
  }

  /** Requests that arrive during a read share it, unless something has changed since it began. */
  async #current(now: Instant): Promise<Board> {
    while (this.#reading !== null) await this.#reading;
    const board = this.#board;
    if (board?.hour !== startOfHour(now)) return this.#keep((context) => this.#readAll(now, context));
    return this.#changed.size === 0 ? board : this.#keep((context) => this.#readChanged(board, now, context));
  }

  #keep(read: (context: ReadContext) => Promise<Board>): Promise<Board> {
    const version = this.#version;
    const reading = this.#deadlines
      .run(READ_DEADLINE_MS, DETACHED, (signal) => read({ signal }))
      .then(
        (board) => {
          this.#reading = null;
          if (version === this.#version) this.#board = board;
          return board;
        },
        (error: unknown) => {
          this.#reading = null;
          this.forget();
          throw error;
        },
      );
    this.#reading = reading;
    return reading;
  }

  #readAll(now: Instant, context: ReadContext): Promise<Board> {
    // The read includes all changes so far.
    this.#changed.clear();
    return this.#read(null, now, context);
  }

  async #readChanged({ hour, services }: Board, now: Instant, context: ReadContext): Promise<Board> {
    const changed = this.#changed;
    this.#changed = new Map();
    const inPast = [...changed].flatMap(([key, day]) => (day < startOfDay(hour) || !services.has(key) ? [key] : []));
    const [present, past] = await Promise.all([
      started(() => this.checks.present({ serviceKeys: [...changed.keys()], now }, context)),
      inPast.length === 0 ? new Map<string, readonly Tally[]>() : started(() => this.#sums(inPast, now, context)),
    ]);
    const after = new Map(services);
    for (const key of changed.keys()) {
      const own = present.get(key);
      const sums = inPast.includes(key) ? past.get(key) : services.get(key)?.past;
      if (own === undefined) after.delete(key);
      else after.set(key, { present: own, past: sums ?? null });
    }
    return { hour, services: after };
  }

  async #read(serviceKeys: readonly string[] | null, now: Instant, context: ReadContext): Promise<Board> {
    const [present, past] = await Promise.all([
      started(() => this.checks.present({ serviceKeys, now }, context)),
      started(() => this.#sums(serviceKeys, now, context)),
    ]);
    const services = new Map([...present].map(([key, own]) => [key, { present: own, past: past.get(key) ?? null }]));
    return { hour: startOfHour(now), services };
  }

  #sums(serviceKeys: readonly string[] | null, now: Instant, context: ReadContext): Promise<ReadonlyMap<string, readonly Tally[]>> {
    return this.checks.sums({ serviceKeys, ranges: pastRanges(uptimeWindows(now), now) }, context);
  }
}

/** Whether anything is stored of a time: the sum of a part of a day is also there if nothing is. */
function isStored({ counts, outageMs, degradedMs }: Tally): boolean {
  return Object.values(counts).some((count) => count > 0) || (outageMs ?? 0) > 0 || (degradedMs ?? 0) > 0;
}
