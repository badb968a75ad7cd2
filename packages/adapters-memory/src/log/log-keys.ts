import { formatDate, parseDate, type Instant, type PlainRecord } from '@vitrine/core';

/**
 * The keys of a log: `r/<kind>/<key>`: a record as JSON. `c/<service>/<date>`: a day's checks (pack). `t/<service>/<date>/<number>`: checks of a day that are
 * not in its pack yet (tail). `d/<service>/<date>`: the counts of a frozen day as JSON. Service keys contain no slash.
 */
export type LogKey = string;

export function recordLogKey(kind: PlainRecord['kind'], key: string): LogKey {
  return `r/${kind}/${key}`;
}

export function packLogKey(serviceKey: string, day: Instant): LogKey {
  return `c/${serviceKey}/${formatDate(day)}`;
}

export function tailLogKey(serviceKey: string, day: Instant, number: number): LogKey {
  return `t/${serviceKey}/${formatDate(day)}/${String(number).padStart(6, '0')}`;
}

export function dayLogKey(serviceKey: string, day: Instant): LogKey {
  return `d/${serviceKey}/${formatDate(day)}`;
}

/** The service and day in a `c/` or `t/` key; `null` for a key that this version does not write. */
export function parseDayKey(key: LogKey): { readonly serviceKey: string; readonly day: Instant } | null {
  const [, serviceKey, date] = key.split('/');
  const day = date === undefined ? null : parseDate(date);
  return serviceKey === undefined || day === null ? null : { serviceKey, day };
}
