import {
  DAY,
  EARLIEST_INSTANT,
  pageOf,
  startOfDay,
  type Check,
  type Instant,
  type ReadContext,
  type TimeListQuery,
  type TimePage,
} from '@vitrine/core';
import { decoded } from '../reading/decoding.js';
import { findDocuments } from '../reading/find-documents.js';
import type { MongoReading } from '../reading/mongo-reading.js';
import { checkId, checkIdRange, checkOf } from './check-document.js';

/** A page of raw checks, newest first and then by source, which is the order of their ids. Only the last page may be shorter. */
export async function listChecks(
  reading: MongoReading,
  serviceKey: string,
  query: TimeListQuery,
  keptFrom: Instant,
  context: ReadContext,
): Promise<TimePage<Check>> {
  const limit = query.limit + 1;
  const range = checkIdRange(serviceKey, Math.max(query.from ?? EARLIEST_INSTANT, firstKeptDay(keptFrom)), query.to);
  const checks: Check[] = [];
  let start: { readonly $gt: string } | { readonly $gte: string } =
    query.after === null ? { $gte: range.$gte } : { $gt: laterId(range.$gte, checkId(serviceKey, query.after.time, query.after.id)) };
  for (;;) {
    const found = await reading.run(context, (options) =>
      findDocuments(reading.collections.of('status_checks'), { _id: { ...start, $lt: range.$lt } }, { ...options, limit, sort: { _id: 1 } }),
    );
    checks.push(...decoded('check', found, reading.monitor, checkOf));
    const last: unknown = found.documents.at(-1)?.['_id'];
    if (checks.length >= limit || found.documents.length < limit || typeof last !== 'string')
      return pageOf(checks.slice(0, limit), query.limit, ({ checkedAt, provenance }) => ({ time: checkedAt, id: provenance.source }));
    start = { $gt: last };
  }
}

function laterId(a: string, b: string): string {
  return a < b ? b : a;
}

/** The first day whose raw checks are all kept. The raw checks of the day before may be partly deleted. */
function firstKeptDay(keptFrom: Instant): Instant {
  const day = startOfDay(keptFrom);
  return day === keptFrom ? day : day + DAY;
}
