import type { PlainRecord } from '../domain/identity-key.js';

/** Copies the fields that never change once stored (such as `listedAt`) from the stored version into the record. */
export function keepFirst(record: PlainRecord, stored: PlainRecord | null): PlainRecord {
  if (stored === null) return record;
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
