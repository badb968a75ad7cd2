import { formatInstant, isInstant, quotable, type StatusDay, type StatusHour } from '@vitrine/core';
import type { SqlRow } from '../database/sqlite-database.js';
import { TALLY_COLUMNS, TALLY_LENGTH, tallyOfRow } from './tally-columns.js';

/** The columns of a {@link dayOfRow}. */
export const DAY_COLUMNS = `${TALLY_COLUMNS}, day, first_checked_at, last_checked_at`;
/** The columns of an hour. */
export const HOUR_COLUMNS = `${TALLY_COLUMNS}, hour`;

/** The service and the start of a day or an hour, in a form that may be logged. */
export function placeOf(serviceKey: string, row: SqlRow): string {
  const start = row[TALLY_LENGTH];
  return `${quotable(serviceKey)} ${isInstant(start) ? formatInstant(start) : quotable(String(start))}`;
}

/** The day of a row that begins with {@link DAY_COLUMNS}, without its hours; `null` if it is damaged. */
export function dayOfRow(serviceKey: string, row: SqlRow): StatusDay | null {
  const tally = tallyOfRow(row);
  const [day, first, last] = row.slice(TALLY_LENGTH);
  if (tally === null || typeof day !== 'number') return null;
  const [firstCheckedAt, lastCheckedAt] = [first, last].map((time) => (typeof time === 'number' ? time : null));
  return { kind: 'status-day', serviceKey, day, ...tally, firstCheckedAt: firstCheckedAt ?? null, lastCheckedAt: lastCheckedAt ?? null, hours: [] };
}

/** The hour of a row that begins with {@link HOUR_COLUMNS}; `null` if it is damaged. */
export function hourOfRow(row: SqlRow): StatusHour | null {
  const [tally, hour] = [tallyOfRow(row), row[TALLY_LENGTH]];
  return tally === null || typeof hour !== 'number' ? null : { hour, ...tally };
}
