import type { ReadContext } from '@vitrine/core';
import { checkId } from './check-document.js';
import type { StatusStore } from './status-store.js';
import { laterTimes, NEVER } from './count-day.js';
import { dayId, type SourceTimes, type StoredDay } from './day-document.js';
import { revisions, tailOf, withNewest } from './next-trail.js';
import type { Trail } from './trail-document.js';

/**
 * The trail of a service from its stored days and raw checks; `null` if no day is left. Both revisions grow: the newest check may now be
 * an earlier one, and the trail would not report changes after it to readers that have cached that time.
 */
export async function rebuiltTrail(
  store: StatusStore,
  serviceKey: string,
  before: Trail | null,
  stamp: number,
  context: ReadContext,
): Promise<Trail | null> {
  const { first, last, sources } = await overview(store, serviceKey, context);
  if (first === null || last === null) return null;
  const newest = (await store.daysAround([last], context)).get(dayId(serviceKey, last.day)) ?? last;
  const checks = await store.checksById(
    sources.flatMap(({ source, newestAt, knownAt }) => [newestAt, knownAt ?? newestAt].map((time) => checkId(serviceKey, time, source))),
    context,
  );
  const { firstCheckedAt } = first;
  return { serviceKey, firstCheckedAt, ...tailOf(newest), sources: withNewest([], checks), ...revisions(before, NEVER, stamp) };
}

interface Overview {
  readonly first: StoredDay | null;
  readonly last: StoredDay | null;
  readonly sources: readonly SourceTimes[];
}

async function overview(store: StatusStore, serviceKey: string, context: ReadContext): Promise<Overview> {
  const sources = new Map<string, SourceTimes>();
  let first: StoredDay | null = null;
  let last: StoredDay | null = null;
  for await (const day of store.daysOfService(serviceKey, context)) {
    first ??= day;
    last = day;
    for (const times of day.sources) sources.set(times.source, laterTimes(sources.get(times.source) ?? null, times));
  }
  return { first, last, sources: [...sources.values()] };
}
