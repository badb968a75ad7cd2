import { SECOND } from '@vitrine/core';
import { PLAIN_CHECK, type ForeignCheck, type ForeignChecks } from './foreign-check.js';
import { at, itemsAt, numberAt, OTHER_NAME_SERVERS, presentKeys, scalarOf, textAt } from './foreign-values.js';

const DEFAULT_INTERVAL_S = 60;
/** Without its own time-out, a check may take this share of its interval. */
const TIMEOUT_SHARE = 0.8;
const MOST_STATUSES = 100;

const OTHER_KEYS = ['body', 'ignoreTls', 'invertKeyword', 'proxyId', 'mqttTopic', 'grpcUrl', 'docker_container', 'pushToken'];

type Address = (monitor: unknown) => string;

const web: Address = (monitor) => textAt(monitor, 'url');

/** By type of monitor. */
const ADDRESSES: Readonly<Record<string, Address>> = {
  http: web,
  keyword: web,
  'json-query': web,
  port: (monitor) => `tcp://${textAt(monitor, 'hostname')}:${textAt(monitor, 'port')}`,
  dns: (monitor) => `dns:${textAt(monitor, 'hostname')}`,
};

/** The monitors of Uptime Kuma, from its JSON backup. */
export function readUptimeKuma(value: unknown): ForeignChecks {
  const monitors = itemsAt(value, 'monitorList');
  return {
    title: null,
    checks: monitors.filter((monitor) => obstacleTo(monitor) === null).map(checkOf),
    leftOut: [
      ...presentKeys(value, ['notificationList', 'proxyList']).map((key) => `${key}: Vitrine has no such part`),
      ...monitors.flatMap((monitor) => {
        const obstacle = obstacleTo(monitor);
        return obstacle === null ? [] : [`${textAt(monitor, 'name')}: ${obstacle}`];
      }),
    ],
  };
}

/** Why a monitor cannot be carried over; `null` if it can. SQLite has numbers instead of true and false. */
function obstacleTo(monitor: unknown): string | null {
  const type = textAt(monitor, 'type');
  if (!Object.hasOwn(ADDRESSES, type)) return `Vitrine has no check of the type ${type}`;
  if (at(monitor, 'active') === false || at(monitor, 'active') === 0) return 'is paused';
  return at(monitor, 'upsideDown') === true || at(monitor, 'upsideDown') === 1 ? 'is upside down: it expects a failure' : null;
}

function checkOf(monitor: unknown): ForeignCheck {
  const [type, seconds] = [textAt(monitor, 'type'), numberAt(monitor, 'interval') ?? DEFAULT_INTERVAL_S];
  return {
    ...PLAIN_CHECK,
    name: textAt(monitor, 'name'),
    address: ADDRESSES[type]?.(monitor) ?? '',
    method: textAt(monitor, 'method').toUpperCase() || 'GET',
    headers: headersOf(monitor),
    ...statusesOf(monitor),
    ...contentOf(type, monitor),
    intervalMs: seconds * SECOND,
    timeoutMs: (numberAt(monitor, 'timeout') || seconds * TIMEOUT_SHARE) * SECOND,
    confirmAfter: numberAt(monitor, 'maxretries'),
    redirects: numberAt(monitor, 'maxredirects'),
    unknown: [...(type === 'dns' ? [OTHER_NAME_SERVERS] : []), ...presentKeys(monitor, OTHER_KEYS).map((key) => `the key ${key}`)],
  };
}

/** Uptime Kuma keeps headers as JSON text, and the user of basic authentication beside them. */
function headersOf(monitor: unknown): ForeignCheck['headers'] {
  const method = textAt(monitor, 'authMethod');
  const signsIn = textAt(monitor, 'basic_auth_user') !== '' || (method !== '' && method !== 'null');
  const own = Object.entries(parsedObject(textAt(monitor, 'headers'))).map(([name, value]) => ({ name, value: String(value) }));
  return signsIn && !own.some(({ name }) => name.toLowerCase() === 'authorization') ? [...own, { name: 'Authorization', value: '' }] : own;
}

function parsedObject(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

/** `["200-299"]` is the default of both. */
function statusesOf(monitor: unknown): Pick<ForeignCheck, 'status'> {
  const ranges = itemsAt(monitor, 'accepted_statuscodes').map(String);
  if (ranges.length === 0 || (ranges.length === 1 && ranges[0] === '200-299')) return { status: null };
  const statuses = ranges.flatMap((range) => {
    const [first = NaN, last = first] = range.split('-').map(Number);
    const count = Math.min(MOST_STATUSES, last - first + 1);
    return Number.isInteger(count) ? Array.from({ length: Math.max(0, count) }, (_, index) => first + index) : [];
  });
  return { status: statuses };
}

function contentOf(type: string, monitor: unknown): Pick<ForeignCheck, 'text' | 'json'> {
  const keyword = textAt(monitor, 'keyword');
  return { text: type === 'keyword' && keyword !== '' ? keyword : null, json: type === 'json-query' ? jsonOf(monitor) : null };
}

function jsonOf(monitor: unknown): ForeignCheck['json'] {
  const path = textAt(monitor, 'jsonPath').replace(/^\$\.?/, '');
  return path === '' ? null : { path: path.replace(/\[(\d+)\]/g, '.$1'), equals: scalarOf(textAt(monitor, 'expectedValue')) };
}
