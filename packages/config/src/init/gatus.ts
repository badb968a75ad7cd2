import { quotable, MINUTE, SECOND } from '@vitrine/core';
import { type ForeignCheck, NO_SITE, PLAIN_CHECK, type ForeignFile, type ForeignSite } from './foreign-check.js';
import { ForeignObject, goDuration, NO_NOTIFICATIONS, OTHER_LOOK, OTHER_NAME_SERVERS, pathInJson, REFERENCE, SUCCESS } from './foreign-values.js';
import type { Reasons } from './foreign-values.js';

type Understood = Partial<Pick<ForeignCheck, 'status' | 'text' | 'json' | 'slowAfterMs' | 'certificateMs'>>;
/** Reads the subject of a condition; `null` if Vitrine does not support it. */
type Rule = readonly [pattern: RegExp, read: (...groups: readonly string[]) => Understood | null];

const LONGEST = 1_000;
/** What a condition is about. The rest may contain values that are secret. */
const SUBJECT = /^(?:\w{3}\()?\[[A-Z_]{1,40}\][\w.[\]-]{0,100}\)?/;
const [LEAST_STATUS, LEAST_FINAL, MOST_STATUS] = [100, 200, 599];
const STATUS = /^\[STATUS\]\s*(==|!=|<=|>=|<|>)\s*(\d{3})$/;
const LISTED = /^\[STATUS\]\s*(==|!=)\s*any\(([\d, ]+)\)$/;
/** What a check accepts that has no condition on the status. */
const ANY_STATUS = '100-599';

const RULES: readonly Rule[] = [
  [/^\[CONNECTED\]\s*==\s*true$/, () => ({})],
  [/^\[DNS_RCODE\]\s*==\s*NOERROR$/, () => ({})],
  [/^\[BODY\]\s*==\s*pat\(\*([^*?[\]\\]+)\*\)$/, (text = '') => ({ text })],
  // A comparison with another placeholder cannot be carried over.
  [/^\[BODY\]\.([\w[\].-]+)\s*==\s*([^()\s[][^()]*)$/, (path = '', expected = '') => ({ json: { path: pathInJson(path), equals: expected.trim() } })],
  [/^\[RESPONSE_TIME\]\s*<=?\s*(\d{1,9})$/, (milliseconds = '') => ({ slowAfterMs: Number(milliseconds) })],
  [/^\[CERTIFICATE_EXPIRATION\]\s*>=?\s*(\S+)$/, (duration = '') => certificateOf(duration)],
];

/** What Vitrine can compare too, and a line for each other condition. Without a condition on the status, `understood` has none. Of two about the same thing, the first counts. */
function readConditions(conditions: readonly unknown[]): { readonly understood: Understood; readonly unknown: readonly string[] } {
  const texts = conditions.map((condition) => (typeof condition === 'string' ? condition.trim().slice(0, LONGEST) : ''));
  const ofStatus = texts.flatMap((text) => statusRule(text) ?? []);
  // One that cannot be read still says that not every status is accepted.
  const hasStatus = texts.some((text) => text.includes('[STATUS]'));
  let understood: Understood = hasStatus ? { status: ofStatus.length === 0 ? null : statusesOf(ofStatus) } : {};
  const unknown: string[] = [];
  for (const text of texts.filter((one) => statusRule(one) === null)) {
    const read = readCondition(text);
    const isTaken = read === null || Object.keys(read).some((key) => Object.hasOwn(understood, key));
    if (isTaken) unknown.push(`not carried over: the condition on ${quotable(SUBJECT.exec(text)?.[0] ?? 'something else', LONGEST)}`);
    else understood = { ...understood, ...read };
  }
  return { understood, unknown };
}

/** The statuses that every condition accepts. */
function statusesOf(rules: readonly ((status: number) => boolean)[]): ForeignCheck['status'] {
  const ranges: [first: number, last: number][] = [];
  for (let status = LEAST_STATUS; status <= MOST_STATUS; status++) {
    if (!rules.every((accepts) => accepts(status))) continue;
    const last = ranges.at(-1);
    if (last?.[1] === status - 1) last[1] = status;
    else ranges.push([status, status]);
  }
  const statuses = ranges.map(([first, last]) => (first === last ? first : `${String(first)}-${String(last)}`));
  return statuses.length === 1 && statuses[0] === SUCCESS ? null : statuses;
}

type Accepts = (status: number, values: readonly number[]) => boolean;

/** `< 300` is how people write that a request must succeed. An informational status is never the final one. */
const OPERATORS: ReadonlyMap<string, Accepts> = new Map<string, Accepts>([
  ['==', (status, values) => values.includes(status)],
  ['!=', (status, values) => !values.includes(status)],
  ['<', (status, [value = 0]) => status < value && status >= LEAST_FINAL],
  ['<=', (status, [value = 0]) => status <= value && status >= LEAST_FINAL],
  ['>', (status, [value = 0]) => status > value],
  ['>=', (status, [value = 0]) => status >= value],
]);

function statusRule(condition: string): ((status: number) => boolean) | null {
  const [, operator, operand] = STATUS.exec(condition) ?? LISTED.exec(condition) ?? [];
  const accepts = OPERATORS.get(operator ?? '');
  const values = (operand?.match(/\d+/g) ?? []).map(Number);
  return accepts === undefined ? null : (status) => accepts(status, values);
}

function readCondition(condition: string): Understood | null {
  if (REFERENCE.test(condition)) return null;
  for (const [pattern, read] of RULES) {
    const found = pattern.exec(condition);
    if (found !== null) return read(...found.slice(1));
  }
  return null;
}

function certificateOf(duration: string): Understood | null {
  const certificateMs = goDuration(duration);
  return certificateMs === null ? null : { certificateMs };
}

const DEFAULTS = { intervalMs: MINUTE, timeoutMs: 10 * SECOND };

const OTHER_STORE = 'Vitrine has its own data folder: the key store';
const NO_METRICS = 'Vitrine has no metrics page';
const NO_BODY = 'requests of Vitrine have no body';
const PLANNED = 'write planned maintenance into a folder of incidents: vitrine maintenance plan';

const TOP_REASONS: Reasons = {
  alerting: NO_NOTIFICATIONS,
  announcements: 'write them as incidents: vitrine incident open',
  maintenance: PLANNED,
  security: 'the pages of Vitrine are public',
  storage: OTHER_STORE,
  web: 'the key server says where Vitrine listens',
  metrics: NO_METRICS,
  concurrency: 'Vitrine checks each service at its own time',
  'disable-monitoring-lock': 'Vitrine checks each service at its own time',
  'connectivity.checker.interval': 'Vitrine asks the canary only when a service fails',
  'connectivity.checker.target': 'it is not host:port',
  'ui.header': 'the pages have one title, which is ui.title',
  'ui.dashboard-heading': OTHER_LOOK,
  'ui.dashboard-subheading': OTHER_LOOK,
  'ui.custom-css': OTHER_LOOK,
  'ui.dark-mode': 'the pages follow the setting of the browser',
  'ui.favicon': OTHER_LOOK,
  'ui.default-sort-by': 'services are shown in the order of the file; move them',
};

const CHECK_REASONS: Reasons = {
  alerts: NO_NOTIFICATIONS,
  body: NO_BODY,
  graphql: NO_BODY,
  'maintenance-windows': PLANNED,
  'extra-labels': NO_METRICS,
  interval: 'it is not a duration such as 30s; the default of Gatus, 60s, is used',
  'client.timeout': 'it is not a duration such as 10s; the default of Gatus, 10s, is used',
  'client.insecure': 'Vitrine verifies every certificate',
  'client.proxy-url': 'Vitrine connects directly',
  url: OTHER_NAME_SERVERS,
  'client.dns-resolver': OTHER_NAME_SERVERS,
  'dns.query-type': OTHER_NAME_SERVERS,
  'ui.badge': OTHER_LOOK,
};

/** Vitrine shows neither conditions nor error texts. */
const NEVER_SHOWN = ['hide-conditions', 'hide-errors', 'dont-resolve-failed-conditions'];
const HIDING = ['hide-url', 'hide-hostname', 'hide-port'];

/** The endpoints of Gatus (`config.yaml`). Versions before 3 call them services. */
export function readGatus(value: unknown): ForeignFile {
  const file = new ForeignObject(value);
  const endpoints = [...file.items('endpoints'), ...file.items('services')].map((one) => new ForeignObject(one));
  const external = file.items('external-endpoints').map((one) => new ForeignObject(one));
  const suites = file.items('suites').map((one) => new ForeignObject(one));
  const site = siteOf(file.object('ui'));
  const canary = file.object('connectivity').object('checker').text('target');
  const checks = [
    ...endpoints.map((one) => outcomeOf(one, checkOf)),
    ...external.map((one) => outcomeOf(one, heartbeatOf)),
    ...suites.map((one) => `${one.text('name')}: is a suite, and Vitrine checks one address at a time`),
  ];
  return { site, canary, checks, leftOut: file.left(TOP_REASONS) };
}

function siteOf(ui: ForeignObject): ForeignSite {
  const title = ui.text('title') || ui.text('header');
  const buttons = ui.objects('buttons').map((one) => ({ label: one.text('name'), url: one.text('link') }));
  const home = ui.text('link');
  const links = [...(home === '' ? [] : [{ label: title || home, url: home }]), ...buttons];
  return { ...NO_SITE, title, description: ui.text('description'), logo: ui.text('logo'), links };
}

/** The check, or why there is none. */
function outcomeOf(endpoint: ForeignObject, read: (endpoint: ForeignObject) => ForeignCheck | string): ForeignCheck | string {
  const name = endpoint.text('name');
  if (endpoint.value('enabled') === false) return `${name}: is disabled`;
  const check = read(endpoint);
  return typeof check === 'string' ? `${name}: ${check}` : check;
}

function checkOf(endpoint: ForeignObject): ForeignCheck {
  const [client, dns, ui] = [endpoint.object('client'), endpoint.object('dns'), endpoint.object('ui')];
  const { understood, unknown } = readConditions(endpoint.items('conditions'));
  const queryName = dns.text('query-name');
  const isHidden = HIDING.filter((key) => ui.flag(key)).length > 0;
  ui.ignore(...NEVER_SHOWN);
  if (queryName !== '') dns.ignoreDefaults({ 'query-type': 'A' });
  const check = {
    ...PLAIN_CHECK,
    name: endpoint.text('name'),
    group: endpoint.text('group'),
    address: queryName === '' ? endpoint.text('url') : `dns:${queryName}`,
    isHidden,
    method: endpoint.text('method').toUpperCase() || 'GET',
    headers: endpoint.entries('headers').map(([name, text]) => ({ name, value: String(text) })),
    intervalMs: endpoint.duration('interval') ?? DEFAULTS.intervalMs,
    timeoutMs: client.duration('timeout') ?? DEFAULTS.timeoutMs,
    redirects: client.flag('ignore-redirect') ? 0 : null,
    ...understood,
    // Without a condition on it, every status is accepted.
    status: understood.status === undefined ? anyStatus(endpoint.peek('url')) : understood.status,
  };
  return { ...check, unknown: [...endpoint.left(CHECK_REASONS), ...unknown] };
}

function anyStatus(url: string): ForeignCheck['status'] {
  return /^https?:/i.test(url) ? [ANY_STATUS] : null;
}

function heartbeatOf(endpoint: ForeignObject): ForeignCheck | string {
  const intervalMs = endpoint.object('heartbeat').duration('interval') ?? 0;
  // Becomes a variable.
  endpoint.ignore('token');
  if (intervalMs === 0) return 'is an external endpoint without heartbeat.interval, so nothing says when it is late; add it as check: heartbeat';
  const check = { ...PLAIN_CHECK, name: endpoint.text('name'), group: endpoint.text('group'), address: null, timeoutMs: 0, intervalMs };
  return { ...check, unknown: endpoint.left(CHECK_REASONS) };
}
