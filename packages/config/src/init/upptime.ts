import { MINUTE, SECOND } from '@vitrine/core';
import { PLAIN_CHECK, type ForeignCheck, type ForeignChecks } from './foreign-check.js';
import { at, itemsAt, numberAt, presentKeys, textAt } from './foreign-values.js';

const DEFAULT_INTERVAL_MS = 5 * MINUTE;
const TIMEOUT_MS = 30 * SECOND;
const REDIRECTS = 3;
/** Two more attempts, as Upptime makes them. */
const CONFIRM_AFTER = 2;

const OTHER_KEYS = [
  'body',
  '__dangerous__insecure',
  '__dangerous__disable_verify_peer',
  '__dangerous__disable_verify_host',
  '__dangerous__body_down',
  '__dangerous__body_down_if_text_missing',
  '__dangerous__body_degraded',
  '__dangerous__body_degraded_if_text_missing',
];

/** The sites of Upptime (`.upptimerc.yml`). All are checked on the same schedule. */
export function readUpptime(value: unknown): ForeignChecks {
  const intervalMs = intervalOf(textAt(at(value, 'workflowSchedule'), 'uptime'));
  return {
    title: textAt(at(value, 'status-website'), 'name') || null,
    checks: itemsAt(value, 'sites').map((site) => checkOf(site, intervalMs)),
    leftOut: presentKeys(value, ['notifications']).map((key) => `${key}: Vitrine sends no notifications`),
  };
}

/** The interval of a cron schedule that says every how many minutes. Other schedules have no fixed interval. */
function intervalOf(schedule: string): number {
  const minutes = /^\*\/(\d{1,2}) \* \* \* \*$/.exec(schedule.trim())?.[1];
  return minutes === undefined ? DEFAULT_INTERVAL_MS : Number(minutes) * MINUTE;
}

function checkOf(site: unknown, intervalMs: number): ForeignCheck {
  const statuses = itemsAt(site, 'expectedStatusCodes').map(Number);
  return {
    ...PLAIN_CHECK,
    name: textAt(site, 'name'),
    address: addressOf(site),
    method: textAt(site, 'method').toUpperCase() || 'GET',
    headers: itemsAt(site, 'headers').map((line) => headerOf(String(line))),
    status: statuses.length === 0 ? null : statuses,
    intervalMs,
    timeoutMs: TIMEOUT_MS,
    slowAfterMs: numberAt(site, 'maxResponseTime'),
    confirmAfter: CONFIRM_AFTER,
    redirects: REDIRECTS,
    unknown: presentKeys(site, OTHER_KEYS).map((key) => `the key ${key}`),
  };
}

function addressOf(site: unknown): string {
  const [check, address, port] = [textAt(site, 'check'), textAt(site, 'url'), textAt(site, 'port')];
  if (check === 'tcp-ping')
    return `tcp://${address
      .replace(/^[a-z]+:\/\//i, '')
      .split(/[/:]/, 1)
      .join('')}:${port}`;
  return check === '' || check === 'http' ? address : `${check}:${address}`;
}

function headerOf(line: string): { readonly name: string; readonly value: string } {
  const end = line.indexOf(':');
  return { name: end < 0 ? line : line.slice(0, end), value: end < 0 ? '' : line.slice(end + 1).trim() };
}
