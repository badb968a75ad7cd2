import { SECOND } from '@vitrine/core';
import { NO_SITE, PLAIN_CHECK, type ForeignCheck, type ForeignFile } from './foreign-check.js';
import { ForeignObject, NO_NOTIFICATIONS, OTHER_NAME_SERVERS, pathInJson, type Reasons, SUCCESS } from './foreign-values.js';

const DEFAULT_INTERVAL_S = 60;
/** Without its own time-out, a check may take this share of its interval. */
const TIMEOUT_SHARE = 0.8;

const TOP_REASONS: Reasons = { notificationList: NO_NOTIFICATIONS, proxyList: 'Vitrine connects directly' };
const OTHER_JSON = 'only a plain path that equals a value, in a monitor of the type json-query';
const MONITOR_REASONS: Reasons = {
  body: 'requests of Vitrine have no body',
  notificationIDList: NO_NOTIFICATIONS,
  resendInterval: NO_NOTIFICATIONS,
  expiryNotification: 'Vitrine sends no notifications; a certificate that expires within 14 days is degraded',
  ignoreTls: 'Vitrine verifies every certificate',
  invertKeyword: 'a text that must be absent cannot be expected',
  keyword: 'it belongs to another type of monitor',
  jsonPath: OTHER_JSON,
  jsonPathOperator: OTHER_JSON,
  expectedValue: OTHER_JSON,
  proxyId: 'Vitrine connects directly',
  retryInterval: 'Vitrine tries again within 5 seconds',
  tags: 'services have no tags',
  description: 'services have no description',
  authMethod: 'Vitrine can only send headers',
  maxretries: 'it is not a number',
  interval: 'it is not a number of seconds; the default of Uptime Kuma, 60, is used',
  dns_resolve_server: OTHER_NAME_SERVERS,
  dns_resolve_type: OTHER_NAME_SERVERS,
};

/** What says something about Uptime Kuma itself, or repeats another key. */
const OWN_KEYS = (
  'id user_id pathName path parent weight forceInactive childrenIDs includeSensitiveData created_date ' + 'dns_last_result screenshot maintenance'
).split(' ');
const DEFAULTS = {
  method: 'GET',
  packetSize: 56,
  dns_resolve_type: 'A',
  httpBodyEncoding: 'json',
  jsonPathOperator: '==',
  resendInterval: 0,
  gamedigGivenPortOnly: true,
};
/** Settings of other types of monitors. They stay in the backup when the type of a monitor is changed. */
const OF_OTHER_TYPES = /^(?:mqtt|grpc|radius|kafka|rabbitmq|snmp|smtp|game|docker|ping|database|remote|oauth|tls|ws)/;

type Address = (monitor: ForeignObject) => string | null;

const web: Address = (monitor) => monitor.text('url');

/** By type of monitor. */
const ADDRESSES: Readonly<Record<string, Address>> = {
  http: web,
  keyword: web,
  'json-query': web,
  port: (monitor) => `tcp://${monitor.text('hostname')}:${monitor.text('port')}`,
  dns: (monitor) => `dns:${monitor.text('hostname')}`,
  // A service that reports itself.
  push: () => null,
};

/** The monitors of Uptime Kuma, from its JSON backup. */
export function readUptimeKuma(value: unknown): ForeignFile {
  const file = new ForeignObject(value);
  file.ignore('version');
  const monitors = file.items('monitorList');
  const names = new Map(monitors.map((one) => [new ForeignObject(one).text('id'), new ForeignObject(one).text('name')]));
  const checks = monitors.map((one) => outcomeOf(one, names));
  return { site: NO_SITE, canary: '', checks, leftOut: file.left(TOP_REASONS) };
}

/** The check, or why there is none. @param names of all monitors, by id */
function outcomeOf(value: unknown, names: ReadonlyMap<string, string>): ForeignCheck | string {
  const monitor = new ForeignObject(value);
  const [name, type] = [monitor.text('name'), monitor.text('type')];
  const obstacle = obstacleTo(monitor, type);
  if (obstacle !== null) return `${name}: ${obstacle}`;
  const parent = monitor.text('parent');
  return { ...checkOf(monitor, type), name, group: parent === '' ? '' : (names.get(parent) ?? '') };
}

function obstacleTo(monitor: ForeignObject, type: string): string | null {
  if (type === 'group') return 'is a group, which its monitors name';
  if (!Object.hasOwn(ADDRESSES, type)) return `Vitrine has no check of the type ${type}`;
  const active = monitor.value('active');
  if (active === false || active === 0) return 'is paused';
  return monitor.flag('upsideDown') ? 'is upside down: it expects a failure' : null;
}

function checkOf(monitor: ForeignObject, type: string): Omit<ForeignCheck, 'name' | 'group'> {
  const address = ADDRESSES[type]?.(monitor) ?? null;
  const keys = ADDRESSES[type] === web ? webKeysOf(monitor, type) : { unknown: [] };
  const seconds = monitor.number('interval') ?? DEFAULT_INTERVAL_S;
  const retries = monitor.number('maxretries');
  ignoreOthers(monitor, type, seconds);
  const named = type === 'dns' && !monitor.says('dns_resolve_server') ? [`not carried over: ${OTHER_NAME_SERVERS}`] : [];
  return {
    ...PLAIN_CHECK,
    address,
    isHidden: !monitor.flag('sendUrl'),
    intervalMs: seconds * SECOND,
    ...(type === 'push' ? { timeoutMs: 0, graceMs: graceOf(monitor, retries, seconds) } : { timeoutMs: timeoutOf(monitor, seconds) }),
    confirmAfter: retries,
    ...keys,
    unknown: [...keys.unknown, ...named, ...monitor.left(MONITOR_REASONS)],
  };
}

function webKeysOf(monitor: ForeignObject, type: string) {
  const { status, wrong } = monitor.statuses('accepted_statuscodes');
  return {
    method: monitor.text('method').toUpperCase() || 'GET',
    headers: headersOf(monitor),
    // The default of both.
    status: String(status) === SUCCESS ? null : status,
    text: type === 'keyword' && !monitor.says('invertKeyword') ? monitor.text('keyword') || null : null,
    json: type === 'json-query' ? jsonOf(monitor) : null,
    redirects: monitor.number('maxredirects'),
    unknown: wrong,
  };
}

function timeoutOf(monitor: ForeignObject, seconds: number): number {
  return (monitor.number('timeout') || seconds * TIMEOUT_SHARE) * SECOND;
}

function graceOf(monitor: ForeignObject, retries: number | null, seconds: number): number | null {
  return retries === null ? null : retries * (monitor.number('retryInterval') ?? seconds) * SECOND;
}

/** A backup has all settings of all types of monitors. */
function ignoreOthers(monitor: ForeignObject, type: string, seconds: number): void {
  monitor.ignore(...OWN_KEYS, ...monitor.keys().filter((key) => OF_OTHER_TYPES.test(key)));
  monitor.ignoreDefaults({ ...DEFAULTS, retryInterval: seconds, ...(type !== 'dns' && { dns_resolve_server: '1.1.1.1' }) });
  // Becomes a variable.
  if (type === 'push') monitor.ignore('pushToken');
  if (ADDRESSES[type] !== web) monitor.ignoreDefaults({ accepted_statuscodes: [SUCCESS], maxredirects: 10, url: 'https://' });
}

const SIGNING_IN = ['', 'null', 'basic'];

/** Uptime Kuma keeps headers as JSON text, and the user of basic authentication beside them. */
function headersOf(monitor: ForeignObject): ForeignCheck['headers'] {
  const hasUser = monitor.says('basic_auth_user');
  monitor.ignore('basic_auth_user', 'basic_auth_pass');
  if (SIGNING_IN.includes(monitor.peek('authMethod'))) monitor.ignore('authMethod');
  const own = Object.entries(parsedObject(monitor)).map(([name, value]) => ({ name, value: String(value) }));
  return hasUser && !own.some(({ name }) => name.toLowerCase() === 'authorization') ? [...own, { name: 'Authorization', value: '' }] : own;
}

function parsedObject(monitor: ForeignObject): object {
  try {
    const value: unknown = JSON.parse(monitor.peek('headers'));
    if (typeof value !== 'object' || value === null) return {};
    monitor.ignore('headers');
    return value;
  } catch {
    return {};
  }
}

/** A path without functions, filters or operators of JSONata. */
const PLAIN_PATH = /^(?:\$\.|\$(?=\[))?(?:\w{1,100}|\[\d{1,9}\])(?:\.\w{1,100}|\[\d{1,9}\]){0,50}$/;

function jsonOf(monitor: ForeignObject): ForeignCheck['json'] {
  const path = monitor.peek('jsonPath');
  if (!PLAIN_PATH.test(path) || !['', '=='].includes(monitor.peek('jsonPathOperator'))) return null;
  monitor.ignore('jsonPath');
  return { path: pathInJson(path.replace(/^\$\.?/, '')), equals: monitor.text('expectedValue') };
}
