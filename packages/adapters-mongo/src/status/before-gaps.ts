import { DAY, MAX_VALIDITY_MS, type Instant, type ReadContext, type ServiceFacts, type ServiceNeeds } from '@vitrine/core';
import type { Document } from 'mongodb';
import { object } from '../documents/codec.js';
import { serviceKey } from '../documents/shared-fields.js';
import { instant } from '../documents/values.js';
import { decoded } from '../reading/decoding.js';
import type { MongoReading } from '../reading/mongo-reading.js';
import type { EdgeReads } from './edge-reads.js';
import { readAll, type Part } from './read-all.js';

type Facts = EdgeReads & Pick<ServiceFacts, 'sums'>;

/** A needed day of a service. The day before it is not stored, but an earlier one is. */
interface Gap {
  readonly serviceKey: string;
  readonly day: Instant;
}

const fields = object({ serviceKey, before: instant, day: instant, coveredUntil: instant });

/**
 * A check may be valid for days. So if the day before a needed one is not stored, the end of the coverage of the last one that is must be known. Adds it to the
 * facts: it is among the sums, or it is read. Needs no query for services that were checked every day.
 */
export async function readBeforeGaps(
  reading: MongoReading,
  needs: readonly ServiceNeeds[],
  facts: ReadonlyMap<string, Facts>,
  context: ReadContext,
): Promise<void> {
  const gaps = needs.flatMap((need) => gapsOf(need, facts.get(need.serviceKey)));
  const found = await readAll(reading, partsOf(gaps), context);
  for (const { serviceKey: key, before, day, coveredUntil } of decoded('status-day', found, reading.monitor, (row) => fields.decode(row, ''))) {
    const own = facts.get(key);
    if (own?.sums.from === before) own.sums.addCoverage(day, coveredUntil);
    if (own?.days.has(day) === false) own.days.set(day, { hours: [], coveredUntil });
  }
  for (const need of needs) addFromSums(need, facts.get(need.serviceKey));
}

function gapsOf({ serviceKey: key, firstDay, hourDays, sums: ranges }: ServiceNeeds, facts: Facts | undefined): readonly Gap[] {
  if (facts === undefined) return [];
  const { sums, days } = facts;
  const isSummed = (day: Instant): boolean => ranges.length > 0 && sums.reaches(day);
  const needed = hourDays.filter((day) => !days.has(day - DAY) && !isSummed(day));
  if (ranges.length > 0 && !sums.hasDayBefore) needed.push(sums.from);
  return [...new Set(needed)].filter((day) => firstDay < day - DAY).map((day) => ({ serviceKey: key, day }));
}

/**
 * The sums have read every day of their ranges, so they know the coverage at the start of each. It is added as that of the day before, unless the hours of that
 * day are needed too: then it is known from the days before that.
 */
function addFromSums({ hourDays, sums: ranges }: ServiceNeeds, facts: Facts | undefined): void {
  if (facts === undefined || ranges.length === 0) return;
  const { sums, days } = facts;
  for (const day of hourDays) {
    const before = day - DAY;
    if (days.has(before) || hourDays.includes(before) || !sums.reaches(day)) continue;
    days.set(before, { hours: [], coveredUntil: sums.coveredBefore(day) });
  }
}

/** Services are asked for the same days. */
function partsOf(gaps: readonly Gap[]): readonly Part[] {
  const days = [...new Set(gaps.map(({ day }) => day))];
  return days.map((before) => {
    const keys = gaps.filter(({ day }) => day === before).map((gap) => gap.serviceKey);
    const match = { serviceKey: { $in: keys }, day: { $gte: new Date(before - MAX_VALIDITY_MS), $lt: new Date(before) } };
    const last: Document = {
      _id: '$serviceKey',
      serviceKey: { $last: '$serviceKey' },
      day: { $last: '$day' },
      coveredUntil: { $last: '$coveredUntil' },
    };
    return {
      coll: 'status_days',
      pipeline: [
        { $match: match },
        { $project: { serviceKey: 1, day: 1, coveredUntil: 1 } },
        { $sort: { serviceKey: 1, day: 1 } },
        { $group: last },
        { $set: { before: new Date(before) } },
      ],
    };
  });
}
