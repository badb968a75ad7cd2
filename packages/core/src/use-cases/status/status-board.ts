import { startOfDay, startOfMonth, type Instant } from '../../kinds/instant.js';
import type { ServiceDetail, ServiceMonth, ServiceStatus, StatusOverview } from '../../kinds/service-status.js';
import type { Service } from '../../kinds/service.js';
import type { TallyWindow } from '../../kinds/status-day.js';
import type { ReadContext } from '../../ports/readers.js';
import type { AnswerReaders, Deadlines } from '../../ports/store.js';
import { dayFiguresOf, overallStateOf, serviceStatusOf } from '../../rules/service-status.js';
import { mergeTallies, NO_TALLY, uptimeOf } from '../../rules/uptime.js';
import { latestVisible, started, unreadable } from '../shared/answer.js';
import type { ServiceBoard } from './service-board.js';

/** The time that incidents and past days have, in milliseconds: less than the whole response, so that the services are still shown without them. */
const PARTS_DEADLINE_MS = 800;

const MONTHS = 12;

interface StatusParts {
  readonly readers: Pick<AnswerReaders, 'services' | 'checks' | 'incidents'>;
  readonly board: ServiceBoard;
  readonly deadlines: Deadlines;
}

/** The status of services at a moment, from stored checks alone. */
export class StatusBoard {
  constructor(private readonly parts: StatusParts) {}

  /**
   * All services and the unresolved incidents. What cannot be read in time beside the services is empty or `null`, with a warning; unreadable services reject.
   *
   * @param count see `ServiceBoard.pastDays`; default: none are read
   */
  async overview(now: Instant, context: ReadContext, count?: number) {
    const { readers, board } = this.parts;
    const [{ statuses, evidence }, current, past] = await Promise.all([
      this.#judged(now, context),
      this.#beside(context, (own) => readers.incidents.unresolved(latestVisible(now), own)),
      count === undefined ? null : this.#beside(context, (own) => board.pastDays(count, now, own)),
    ]);
    const checked = statuses.flatMap(({ lastCheckedAt }) => (lastCheckedAt === null ? [] : [lastCheckedAt]));
    const overview: StatusOverview = {
      overallState: overallStateOf(statuses),
      services: statuses,
      incidents: { current: current ?? [], historicalAvailable: current !== null },
      observedAt: checked.length === 0 ? null : Math.max(...checked),
    };
    return {
      overview,
      days: past === null ? null : { today: new Map([...evidence].map(([key, { today }]) => [key, dayFiguresOf(today)])), past },
      warnings: [...(count !== undefined && past === null ? [unreadable('check')] : []), ...(current === null ? [unreadable('incident')] : [])],
    };
  }

  async detailOf(service: Service, now: Instant, context: ReadContext): Promise<ServiceDetail> {
    const { readers, board } = this.parts;
    const ranges = monthsUntil(now);
    const [found, sums] = await Promise.all([
      board.evidence([service.key], now, context),
      started(() => readers.checks.sums({ serviceKeys: [service.key], ranges }, context)),
    ]);
    const evidence = found.get(service.key) ?? null;
    const past = sums.get(service.key) ?? [];
    const months = ranges.flatMap(({ from }, index): readonly ServiceMonth[] => {
      if (evidence === null || startOfMonth(evidence.trackedFrom) > from) return [];
      const { counts, outageMs } = mergeTallies([past[index] ?? NO_TALLY, ...(index === 0 ? [evidence.today] : [])]);
      return [{ month: from, ...uptimeOf(counts), outageMs }];
    });
    return { ...serviceStatusOf(service, evidence, now), months };
  }

  /** All services, by key. */
  async services(now: Instant, context: ReadContext): Promise<readonly ServiceStatus[]> {
    return (await this.#judged(now, context)).statuses;
  }

  async #judged(now: Instant, context: ReadContext) {
    const { readers, board } = this.parts;
    const [known, evidence] = await Promise.all([readers.services.list(context), started(() => board.evidence(null, now, context))]);
    return { evidence, statuses: known.map((service) => serviceStatusOf(service, evidence.get(service.key) ?? null, now)) };
  }

  async #beside<Read>({ signal }: ReadContext, read: (context: ReadContext) => Promise<Read>): Promise<Read | null> {
    return this.parts.deadlines.run(PARTS_DEADLINE_MS, signal, (own) => read({ signal: own })).catch(() => null);
  }
}

/** The present month up to today, and those before it. Newest first. */
function monthsUntil(now: Instant): readonly TallyWindow[] {
  return Array.from({ length: MONTHS }, (_, index) => ({
    from: startOfMonth(now, -index),
    to: Math.min(startOfMonth(now, 1 - index), startOfDay(now)),
    withoutLatency: true,
  }));
}
