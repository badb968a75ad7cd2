import type { ListedRecord } from '../../domain/kinds.js';
import { timeOf } from '../../domain/record-key.js';
import { MINUTE, type Instant } from '../../domain/shared/instant.js';

/** The latest time a record may bear to be served now: a little ahead, because clocks differ. */
export function latestVisible(now: Instant): Instant {
  return now + 5 * MINUTE;
}

/** Planned maintenance is announced ahead; other records are not served before their time. */
export function isVisible(record: ListedRecord, now: Instant): boolean {
  return timeOf(record) <= latestVisible(now) || (record.kind === 'incident' && record.incidentKind === 'maintenance');
}
