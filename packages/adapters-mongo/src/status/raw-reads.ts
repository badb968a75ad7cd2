import {
  EARLIEST_INSTANT,
  MAX_RESPONSE_TIME_MS,
  MAX_VALIDITY_MS,
  quotable,
  SERVICE_STATES,
  type Check,
  type NewestOfSource,
  type RawCheck,
  type ReadContext,
  type ServiceNeeds,
} from '@vitrine/core';
import type { Document } from 'mongodb';
import { BadValue } from '../documents/codec.js';
import { instant, nullable, oneOf, whole } from '../documents/values.js';
import { decoded } from '../reading/decoding.js';
import type { MongoReading } from '../reading/mongo-reading.js';
import { checkIdRange, checkOf } from './check-document.js';
import { readAll } from './read-all.js';

/** Raw checks of one service. */
export interface RawReads {
  /** In time order. */
  readonly checks: readonly RawCheck[];
  /** The newest checks of the requested sources. */
  readonly newest: readonly Check[];
}

export const NO_RAW_READS: RawReads = { checks: [], newest: [] };

type RawReadsByService = ReadonlyMap<string, RawReads>;

/** Reads all raw checks with one query, by service. */
export async function readRaw(reading: MongoReading, needs: readonly ServiceNeeds[], context: ReadContext): Promise<RawReadsByService> {
  const ranges = rangesOf(needs);
  const pipelines = [
    ...(ranges.length === 0 ? [] : [columnsPipeline(ranges)]),
    ...needs.flatMap((one) => one.newest.map((newest) => newestPipeline(one, newest))),
  ];
  const found = await readAll(reading, 'status_checks', pipelines, context);
  const reads = new Map<string, { checks: readonly RawCheck[]; newest: Check[] }>();
  const of = (serviceKey: string) => {
    const own = reads.get(serviceKey) ?? { checks: [], newest: [] };
    reads.set(serviceKey, own);
    return own;
  };
  const isRow = (document: Document): boolean => Array.isArray(document['checkedAt']);
  for (const row of found.documents.filter(isRow)) of(String(row['_id'])).checks = checksOfRow(row, reading);
  const single = { ...found, documents: found.documents.filter((document) => !isRow(document)) };
  for (const check of decoded('check', single, reading.monitor, checkOf)) of(check.serviceKey).newest.push(check);
  return reads;
}

/** Services are asked for the same hours. So for several services, few ranges of times are read instead of many ranges of ids. */
function rangesOf(needs: readonly ServiceNeeds[]): Document[] {
  const [one, ...others] = needs;
  if (one !== undefined && others.length === 0) return one.checks.map(({ from, to }) => ({ _id: checkIdRange(one.serviceKey, from, to) }));
  const serviceKey = { $in: needs.filter(({ checks }) => checks.length > 0).map((need) => need.serviceKey) };
  const times = new Map(needs.flatMap(({ checks }) => checks.map(({ from, to }) => [`${String(from)} ${String(to)}`, { from, to }])));
  return [...times.values()].map(({ from, to }) => ({ checkedAt: { $gte: new Date(from), $lte: new Date(to) }, serviceKey }));
}

const COLUMNS = ['checkedAt', 'state', 'validForMs', 'responseTimeMs'] as const;

/** Returns the checks of a service in columns. That takes a tenth of the time of reading them one by one. */
function columnsPipeline(ranges: readonly Document[]): Document[] {
  const columns = COLUMNS.map((name) => [name, { $push: { $ifNull: [`$${name}`, null] } }] as const);
  return [{ $match: { $or: ranges } }, { $group: { _id: '$serviceKey', ...Object.fromEntries(columns) } }];
}

function newestPipeline({ serviceKey, latest }: ServiceNeeds, { source, isKnown }: NewestOfSource): Document[] {
  const state = isKnown ? { state: { $ne: 'unknown' } } : {};
  const range = { _id: checkIdRange(serviceKey, EARLIEST_INSTANT, latest) };
  return [{ $match: { ...range, 'provenance.source': source, ...state } }, { $sort: { _id: 1 } }, { $limit: 1 }];
}

const codecs = {
  checkedAt: instant,
  state: oneOf(SERVICE_STATES),
  validForMs: whole(0, MAX_VALIDITY_MS),
  responseTimeMs: nullable(whole(0, MAX_RESPONSE_TIME_MS)),
};

function checksOfRow(row: Document, reading: MongoReading): RawCheck[] {
  const [times = [], ...others] = COLUMNS.map((name) => row[name] as readonly unknown[]);
  const checks = times.flatMap((time, index) => {
    const check = rawCheckOf([time, ...others.map((column) => column[index])]);
    if (check === null) reading.monitor.quarantined('check', quotable(String(row['_id'])), 'checkedAt, state or validForMs: wrong');
    return check ?? [];
  });
  return checks.sort((a, b) => a.checkedAt - b.checkedAt);
}

function rawCheckOf([time, word, validity, responseTime]: readonly unknown[]): RawCheck | null {
  const checkedAt = codecs.checkedAt.decode(time, '');
  const state = codecs.state.decode(word, '');
  const validForMs = codecs.validForMs.decode(validity, '');
  const responseTimeMs = codecs.responseTimeMs.decode(responseTime, '');
  if (checkedAt instanceof BadValue || state instanceof BadValue || validForMs instanceof BadValue) return null;
  return { checkedAt, state, validForMs, responseTimeMs: responseTimeMs instanceof BadValue ? null : responseTimeMs };
}
