import type { PlainRecord } from '../domain/identity-key.js';
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
  switch (record.kind) {
    case 'news':
      return stored.kind === 'news' ? { ...record, listedAt: stored.listedAt, discoveredAt: stored.discoveredAt } : record;
    case 'mission':
      return stored.kind === 'mission' ? { ...record, createdAt: stored.createdAt } : record;
    case 'service':
      return stored.kind === 'service' ? { ...record, firstSeenAt: stored.firstSeenAt } : record;
    default:
      return record;
  }
}

function withKnownTimes(record: PlainRecord, stored: PlainRecord, filledAt: Instant): PlainRecord {
  const timed = withKnownTime(record, stored, filledAt);
  if (timed.kind === 'sync' || stored.kind === 'sync' || timed.provenance.observedAt !== filledAt) return timed;
  return { ...timed, provenance: { ...timed.provenance, observedAt: stored.provenance.observedAt } };
}

function withKnownTime(record: PlainRecord, stored: PlainRecord, filledAt: Instant): PlainRecord {
  if (record.kind === 'repository' && stored.kind === 'repository' && record.lastSyncedAt === filledAt)
    return { ...record, lastSyncedAt: stored.lastSyncedAt };
  if (record.kind === 'video' && stored.kind === 'video' && record.discoveredAt === filledAt) return { ...record, discoveredAt: stored.discoveredAt };
  return record;
}
