import { DAY, EARLIEST_INSTANT, formatDate, startOfDay, type Clock, type ReadContext, type ServiceDay } from '@vitrine/core';
import type { Collections } from '../collections.js';
import type { Commits } from '../writers/commits.js';
import { CheckWriter } from './check-writer.js';
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
  const writer = new CheckWriter(store, { clock, retentionMs });
  const firstKept = startOfDay(clock.now() - retentionMs + DAY - 1);
  const stopped = await store.progress(context);
  if (stopped !== null) onProgress(`checks: continues at ${stopped.serviceKey}, ${formatDate(stopped.day)}`);
  let next = stopped ?? (await firstDay(store, '', context));
  while (next !== null) {
    await rebuildService(store, writer, { serviceKey: next.serviceKey, day: Math.max(next.day, firstKept) }, context);
    onProgress(`checks: ${next.serviceKey}`);
    next = await firstDay(store, next.serviceKey, context);
  }
  await store.convertOldDays(context);
  await store.setProgress(null);
}

async function firstDay(store: StatusStore, after: string, context: ReadContext): Promise<ServiceDay | null> {
  const serviceKey = await store.serviceAfter(after, context);
  return serviceKey === null ? null : { serviceKey, day: EARLIEST_INSTANT };
}

/** Rebuilds one service, starting with a day. */
async function rebuildService(store: StatusStore, writer: CheckWriter, { serviceKey, day: from }: ServiceDay, context: ReadContext): Promise<void> {
  for (let day = await store.dayFrom(serviceKey, from, context); day !== null;) {
    context.signal.throwIfAborted();
    await store.setProgress({ serviceKey, day });
    const first = day;
    const days = Array.from({ length: DAYS_AT_ONCE }, (_, index) => ({ serviceKey, day: first + index * DAY }));
    await writer.recount(days, context);
    day = await store.dayFrom(serviceKey, first + DAYS_AT_ONCE * DAY, context);
  }
  // Also if no day is left.
  await store.writeLatestStates(new Map([[serviceKey, await writer.latestState(serviceKey, context)]]));
}
