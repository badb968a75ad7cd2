import type { PlainRecord } from '../domain/identity-key.js';
import { isListedKind, KINDS } from '../domain/kinds.js';
import type { Instant } from '../domain/shared/instant.js';

/**
 * Copies the fields that never change once stored (such as `listedAt`) from the stored version into the record, and every time that the caller filled in.
 *
 * @param filledAt the time that stands for "not known"
 */
export function keepFirst(record: PlainRecord, stored: PlainRecord | null, filledAt?: Instant): PlainRecord {
  if (stored === null) return record;
  const fixed = withFixed(record, stored);
  return filledAt === undefined ? fixed : withKnownTimes(fixed, stored, filledAt);
}

function withFixed(record: PlainRecord, stored: PlainRecord): PlainRecord {
  if (record.kind === 'service') return stored.kind === 'service' ? { ...record, firstSeenAt: stored.firstSeenAt } : record;
  return isListedKind(record.kind) ? withStored(record, stored, KINDS[record.kind].fixedTimes) : record;
}

function withKnownTimes(record: PlainRecord, stored: PlainRecord, filledAt: Instant): PlainRecord {
  const timed = withKnownTime(record, stored, filledAt);
  if (timed.kind === 'sync' || stored.kind === 'sync' || timed.provenance.observedAt !== filledAt) return timed;
  return { ...timed, provenance: { ...timed.provenance, observedAt: stored.provenance.observedAt } };
}

function withKnownTime(record: PlainRecord, stored: PlainRecord, filledAt: Instant): PlainRecord {
  if (record.kind === 'repository' && stored.kind === 'repository' && record.lastSyncedAt === filledAt)
    return { ...record, lastSyncedAt: stored.lastSyncedAt };
  if (!isListedKind(record.kind)) return record;
  const times: readonly string[] = KINDS[record.kind].filledTimes;
  const filled = times.filter((name) => Reflect.get(record, name) === filledAt);
  return withStored(record, stored, filled);
}

/** The record with the stored values of these fields. */
function withStored(record: PlainRecord, stored: PlainRecord, names: readonly string[]): PlainRecord {
  if (names.length === 0 || record.kind !== stored.kind) return record;
  return { ...record, ...Object.fromEntries(names.map((name): [string, unknown] => [name, Reflect.get(stored, name)])) };
}
