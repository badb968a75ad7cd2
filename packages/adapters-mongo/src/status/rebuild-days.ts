import { DAY, EARLIEST_INSTANT, formatDate, startOfDay, type Clock, type ReadContext } from '@vitrine/core';
import type { Collections } from '../collections.js';
import type { Commits } from '../writers/commits.js';
import { CheckWriter } from './check-writer.js';
import type { ServiceDay } from './count-day.js';
import { rebuiltTrail } from './rebuilt-trail.js';
import { StatusStore } from './status-store.js';

export interface RebuildDaysOptions {
  readonly clock: Clock;
  /** How long raw checks are kept, in milliseconds. Days whose raw checks may be deleted keep their counts. */
  readonly retentionMs: number;
  readonly signal: AbortSignal;
  /** Called with lines that describe the progress for people. */
  readonly onProgress: (line: string) => void;
}

/** How many days of one service are counted together. */
const DAYS_AT_ONCE = 8;

/**
 * Counts every day of every service again from its raw checks. Readers use the old counts until the new ones replace them. An interrupted rebuild
 * continues where it stopped.
 */
export async function rebuildDays(
  collections: Collections,
  commits: Commits,
  { clock, retentionMs, signal, onProgress }: RebuildDaysOptions,
): Promise<void> {
  const context = { signal };
  const store = new StatusStore(collections, commits);
  const rebuilding = new Rebuilding(store, new CheckWriter(store, { clock, retentionMs }), clock);
  const firstKept = startOfDay(clock.now() - retentionMs + DAY - 1);
  const stopped = await store.progress(context);
  if (stopped !== null) onProgress(`checks: continues at ${stopped.serviceKey}, ${formatDate(stopped.day)}`);
  let next = stopped ?? (await firstDay(store, '', context));
  while (next !== null) {
    await rebuilding.rebuild({ serviceKey: next.serviceKey, day: Math.max(next.day, firstKept) }, context);
    onProgress(`checks: ${next.serviceKey}`);
    next = await firstDay(store, next.serviceKey, context);
  }
  await store.setProgress(null);
}

async function firstDay(store: StatusStore, after: string, context: ReadContext): Promise<ServiceDay | null> {
  const serviceKey = await store.serviceAfter(after, context);
  return serviceKey === null ? null : { serviceKey, day: EARLIEST_INSTANT };
}

class Rebuilding {
  readonly #store: StatusStore;
  readonly #writer: CheckWriter;
  readonly #clock: Clock;

  constructor(store: StatusStore, writer: CheckWriter, clock: Clock) {
    this.#store = store;
    this.#writer = writer;
    this.#clock = clock;
  }

  /** Rebuilds one service, starting with a day. */
  async rebuild({ serviceKey, day: from }: ServiceDay, context: ReadContext): Promise<void> {
    for (let day = await this.#store.dayFrom(serviceKey, from, context); day !== null;) {
      context.signal.throwIfAborted();
      await this.#store.setProgress({ serviceKey, day });
      const first = day;
      const days = Array.from({ length: DAYS_AT_ONCE }, (_, index) => ({ serviceKey, day: first + index * DAY }));
      await this.#writer.recount(days, context);
      day = await this.#store.dayFrom(serviceKey, first + DAYS_AT_ONCE * DAY, context);
    }
    // Also if no day is left.
    const before = (await this.#store.trails([serviceKey], context)).get(serviceKey) ?? null;
    const trail = await rebuiltTrail(this.#store, serviceKey, before, this.#clock.now(), context);
    await this.#store.writeTrails(new Map([[serviceKey, trail]]));
  }
}
