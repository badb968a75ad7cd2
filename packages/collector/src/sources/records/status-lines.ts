import { list, object, type Problem, oneOf, serviceKey, wrong } from '@vitrine/config/internal';
import {
  CONFIGURATION,
  DAY,
  incidentStatesOf,
  LatencyBuilder,
  MAX_RESPONSE_TIME_MS,
  MAX_VALIDITY_MS,
  SECOND,
  SOURCE_TYPES,
  startOfDay,
  SYNCED_KINDS,
  syncOf,
} from '@vitrine/core';
import type { IncidentState } from '@vitrine/core';
import { z } from 'zod';
import { describedLine, lineReader, type LineReader, mayBeScoped, scopeOfLine } from './described-line.js';
import { date, instant, opaque, title, whole, word } from './record-fields.js';

const LAST_BUCKET = lastBucket();
/** Of one day: 50,000 each second. So the sum of all days is exact. */
const MOST_CHECKS = 0xffff_ffff;
const count = whole(0, MOST_CHECKS);
const TOO_LONG_COVERED = 'is too long after lastCheckedAt; write when the last of its checks stops being valid, at most 32 days later';

export const statusDayLine = lineReader(
  object('the counts of a day', {
    kind: z.literal('status-day'),
    serviceKey,
    date,
    checks: object('an object with operational, degraded, outage, maintenance and unknown', {
      operational: count,
      unknown: count,
      maintenance: count,
      degraded: count,
      outage: count,
    }),
    coveredMs: whole(0, DAY),
    outageMs: whole(0, DAY).nullable().default(null),
    degradedMs: whole(0, DAY).nullable().default(null),
    latency: object('an object with buckets and max', {
      buckets: list(
        'pairs of bucket and count',
        z.tuple([whole(0, LAST_BUCKET), whole(1, MOST_CHECKS)], { error: 'is not a pair; write [bucket, count]' }),
        LAST_BUCKET + 1,
      ),
      max: whole(0, MAX_RESPONSE_TIME_MS),
    }),
    firstCheckedAt: instant,
    lastCheckedAt: instant,
    coveredUntil: instant,
  }),
  ({ date: day, checks: counts, ...fields }) => {
    const outside = (['firstCheckedAt', 'lastCheckedAt'] as const).filter((key) => startOfDay(fields[key]) !== day);
    const problems = outside.map((key): Problem => ({ path: [key], message: 'is not within the day; write a time of that UTC date' }));
    // Coverage ends at the latest with the longest validity of the last check.
    if (fields.coveredUntil > fields.lastCheckedAt + MAX_VALIDITY_MS) problems.push({ path: ['coveredUntil'], message: TOO_LONG_COVERED });
    // When the state changed last is not known, but not later than this.
    const unknown = { changedAt: fields.lastCheckedAt, claims: [], hours: [] };
    return problems.length > 0 ? problems : { ...fields, ...unknown, day, counts };
  },
);

function lastBucket(): number {
  const builder = new LatencyBuilder();
  builder.add(MAX_RESPONSE_TIME_MS);
  return builder.histogram().buckets[0]?.[0] ?? 0;
}

const describedIncident = describedLine('incident');

export const incidentLine: LineReader = (value, context) => {
  const record = describedIncident(value, context);
  if (!('kind' in record) || record.kind !== 'incident') return record;
  const { incidentKind, state, updates } = record;
  const problemsAt = (path: Problem['path'], given: IncidentState): readonly Problem[] => {
    const states = incidentStatesOf(incidentKind);
    if (states.includes(given)) return [];
    const reason = `is not a state of an incident of the kind ${incidentKind}`;
    return [{ path, message: `${wrong(given, reason)}; write one of ${states.join(', ')}` }];
  };
  const problems = [...problemsAt(['state'], state), ...updates.flatMap((update, index) => problemsAt(['updates', index, 'state'], update.state))];
  return problems.length > 0 ? problems : record;
};

export const syncLine = lineReader(
  object('what a source left behind', {
    kind: z.literal('sync'),
    ...mayBeScoped,
    id: title,
    feeds: list('a list of kinds', oneOf(SYNCED_KINDS), SYNCED_KINDS.length).default([]),
    sourceType: oneOf([...SOURCE_TYPES, CONFIGURATION]).exactOptional(),
    label: title.exactOptional(),
    intervalMs: whole(SECOND, DAY),
    firstAttemptAt: instant.nullable().exactOptional(),
    lastAttemptAt: instant.nullable().exactOptional(),
    lastSuccessAt: instant.nullable(),
    lastFailureAt: instant.nullable().exactOptional(),
    lastFailureCode: word.nullable().exactOptional(),
    state: opaque.nullable().default(null),
  }),
  ({ repository: name, repositoryRef: ref, ...fields }, context) => {
    const scope = scopeOfLine(name, ref, context);
    return typeof scope === 'string' ? syncOf({ ...fields, repositoryRef: scope }) : scope;
  },
);
