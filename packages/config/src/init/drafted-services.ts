import { quotable } from '@vitrine/core';
import { slug } from '../config-fields.js';
import { INTERVALS, parseDuration } from '../duration.js';
import { hostIn, isPrivateHost } from '../private-hosts.js';
import { readCheckTarget, service } from '../services/service-schema.js';
import { Refusal } from '../validation/problems.js';
import type { ForeignCheck } from './foreign-check.js';
import { durationText, REFERENCE, TEXT_REFERENCE } from './foreign-values.js';

/** An entry of `services`, as it is written into the file. */
export type ServiceEntry = Readonly<Record<string, unknown>>;

/** As many as a configuration may have, and one for Vitrine itself. */
const MOST_SERVICES = 999;
const LONGEST_NAME = 255;
const [LONGEST_PREFIX, LONGEST_COMPONENT] = [20, 36];

/** Services, and one line for each thing that was changed or left out. @param prefix the first part of the keys of checks without a group */
export function draftedServices(checks: readonly ForeignCheck[], prefix: string) {
  const keys = new Set<string>();
  const drafted = checks.slice(0, MOST_SERVICES).map((check, index) => {
    const group = written(check.group);
    const name = quotable(written(check.name), LONGEST_NAME).trim() || `Service ${String(index + 1)}`;
    const first = slug(group, LONGEST_PREFIX) || slug(prefix, LONGEST_PREFIX) || 'services';
    const key = freeKey(`${first}:${slug(name, LONGEST_COMPONENT) || 'service'}`, keys);
    keys.add(variablePart(key));
    const draft: Draft = { key, notes: [...check.unknown], variables: [] };
    const entry = entryOf({ ...check, group, name }, draft);
    if (entry instanceof Refusal) return { entries: [], notes: [`${name}: left out, because ${entry.reason}`], variables: [] };
    const changes = [name === check.name.trim() ? [] : RENAMED, group === check.group ? [] : NO_GROUP].flat();
    return { entries: [entry], notes: [...draft.notes, ...changes].map((note) => `${name}: ${note}`), variables: draft.variables };
  });
  const more = checks.length - drafted.length;
  return {
    entries: drafted.flatMap(({ entries }) => entries),
    notes: [
      ...drafted.flatMap(({ notes }) => notes),
      ...(more > 0 ? [`${String(more)} more checks were left out, because a configuration has at most 1,000 services`] : []),
    ],
    variables: drafted.flatMap(({ variables }) => variables),
  };
}

const RENAMED =
  'is called so, because its name is missing, too long, comes from an environment variable, or holds characters or addresses that cannot be shown';
const NO_GROUP = 'not carried over: group (it comes from an environment variable; write the text)';

/** The text; empty if it comes from an environment variable. */
function written(text: string): string {
  return TEXT_REFERENCE.test(text) ? '' : text;
}

/** Keys that differ in this form have variables with different names. */
function variablePart(key: string): string {
  return key.replace(/\W+/g, '_');
}

function freeKey(wanted: string, taken: ReadonlySet<string>): string {
  for (let number = 2, key = wanted; ; number++) {
    if (!taken.has(variablePart(key))) return key;
    key = `${wanted}-${String(number)}`;
  }
}

/** What is noted while the entry of a check is made. */
interface Draft {
  /** Of the service. */
  readonly key: string;
  /** What was changed or left out, without values that may be secret. */
  readonly notes: string[];
  /** The environment variables that the entry needs, with the required content of each. */
  readonly variables: (readonly [name: string, content: string])[];
}

const MOST_CONFIRMATIONS = 5;
const MOST_REDIRECTS = 10;
const MOST_STATUSES = 20;
const BOUNDS = {
  interval: INTERVALS.map((text) => parseDuration(text) ?? 0),
  timeout: [1_000, 60_000],
  heartbeat: ['10s', '31d'].map((text) => parseDuration(text) ?? 0),
  grace: [0, parseDuration('1d') ?? 0],
} as const;
/** Only the values of these headers are copied: others may be secret. */
const HARMLESS = new Set(['accept', 'accept-language', 'cache-control', 'content-type', 'user-agent']);

/** An entry that is valid in a configuration file, or why the check cannot be carried over. */
function entryOf(check: ForeignCheck, draft: Draft): ServiceEntry | Refusal {
  const { name, group, address } = check;
  const keys = address === null ? heartbeatKeys(check, draft) : reachedKeys(check, address, draft);
  return keys instanceof Refusal ? keys : validated(withoutNull({ key: draft.key, name, group: group.trim() || null, ...keys }), draft.notes);
}

function reachedKeys(check: ForeignCheck, address: string, draft: Draft): ServiceEntry | Refusal {
  const { notes } = draft;
  const target = targetOf(address, notes);
  if (target instanceof Refusal) return target;
  const web = /^https?:/i.test(target) ? webKeys(check, address, draft) : withoutWebKeys(check, notes);
  return {
    check: target,
    url: check.isHidden ? false : null,
    allowPrivate: (!target.startsWith('dns:') && isPrivateHost(hostIn(target))) || null,
    ...timesOf(check, notes),
    confirmAfter: bounded(check.confirmAfter, MOST_CONFIRMATIONS, 'number of further attempts', notes),
    ...web,
  };
}

/** `null` stands for the default, which is not written. */
function withoutNull(entry: ServiceEntry): ServiceEntry {
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== null));
}

function filled(entry: ServiceEntry): ServiceEntry | null {
  return Object.keys(entry).length === 0 ? null : entry;
}

function webKeys(check: ForeignCheck, address: string, draft: Draft): ServiceEntry {
  const { method, certificateMs, redirects, text, json } = check;
  return {
    method: method === 'GET' ? null : method,
    headers: filled(headersOf(check, signsIn(address), draft)),
    expect: filled(withoutNull({ status: statusOf(check, draft.notes), text, json })),
    redirects: bounded(redirects, MOST_REDIRECTS, 'number of redirects', draft.notes),
    certificate: certificateMs === null ? null : durationText(certificateMs),
  };
}

function heartbeatKeys({ intervalMs, graceMs }: ForeignCheck, draft: Draft): ServiceEntry {
  const { key, notes } = draft;
  const keys = {
    check: 'heartbeat',
    interval: nearest(intervalMs, BOUNDS.heartbeat, 'interval', notes),
    grace: graceMs === null ? null : nearest(graceMs, BOUNDS.grace, 'grace', notes),
    token: variableFor('token', `the token of the heartbeats of ${key}, such as the output of: openssl rand -hex 16`, draft),
  };
  notes.push('reports itself at another address from now on: the port of heartbeats, /heartbeat/ and its token');
  return keys;
}

/** The address without credentials and without its query, which may contain some. */
function targetOf(address: string, notes: string[]): string | Refusal {
  const [plain = ''] = address.split(/[?#]/, 1);
  if (REFERENCE.test(plain)) return new Refusal('its address comes from an environment variable; write the address');
  if (plain !== address) notes.push('the query of its address may contain a secret, so it was left out; add it if it does not');
  if (signsIn(address)) notes.push('the user name and password of its address were left out');
  const target = plain.replace(/^(https?:\/\/)[^/]*@/i, '$1');
  const read = readCheckTarget(target);
  const isReached = !(read instanceof Refusal) && read.check !== 'self' && read.check !== 'heartbeat';
  return isReached ? target : new Refusal('its address is not http, https, tcp://host:port or a host name');
}

function signsIn(address: string): boolean {
  return /^https?:\/\/[^/?#]*@/i.test(address);
}

function timesOf({ intervalMs, timeoutMs, slowAfterMs }: ForeignCheck, notes: string[]) {
  const interval = nearest(intervalMs, BOUNDS.interval, 'interval', notes);
  const timeout = nearest(timeoutMs, BOUNDS.timeout, 'time-out', notes);
  const slowAfter = slowAfterMs === null ? null : durationText(Math.max(1, slowAfterMs));
  const isSlowKept = slowAfter !== null && (parseDuration(slowAfter) ?? 0) < (parseDuration(timeout) ?? 0);
  if (isSlowKept) notes.push(`a response that takes longer than ${slowAfter} is degraded, and no failure`);
  else if (slowAfter !== null) notes.push('its longest response time is not shorter than its time-out, so it was left out');
  return { interval, timeout, slowAfter: isSlowKept ? slowAfter : null };
}

function nearest(milliseconds: number, [least = 0, most = 0]: readonly number[], what: string, notes: string[]): string {
  const possible = Math.min(most, Math.max(least, milliseconds));
  if (possible !== milliseconds) notes.push(`its ${what} is ${durationText(possible)}, the nearest that is possible`);
  return durationText(possible);
}

function bounded(value: number | null, most: number, what: string, notes: string[]): number | null {
  if (value === null) return null;
  const possible = Math.min(most, Math.max(0, Math.round(value)));
  if (possible !== value) notes.push(`its ${what} is ${String(possible)}, the nearest that is possible`);
  return possible;
}

/** Notes what a check that is not over HTTP cannot have. */
function withoutWebKeys({ headers, method, status, text, json, redirects, certificateMs }: ForeignCheck, notes: string[]): ServiceEntry {
  const parts = [
    headers.length > 0 && 'headers',
    method !== 'GET' && 'method',
    [status, text, json].some((one) => one !== null) && 'conditions on a response',
    redirects !== null && 'redirects',
    certificateMs !== null && 'conditions on a certificate',
  ].filter((part) => part !== false);
  if (parts.length > 0) notes.push(`not carried over: ${parts.join(', ')} (only a check of an http or https address can have them)`);
  return {};
}

function statusOf({ status }: ForeignCheck, notes: string[]): ForeignCheck['status'] {
  if (status === null || (status.length > 0 && status.length <= MOST_STATUSES)) return status;
  notes.push(`it accepts ${status.length === 0 ? 'no status' : 'too many statuses'}; now 200 to 299 are accepted`);
  return null;
}

function headersOf({ headers }: ForeignCheck, isSignedIn: boolean, draft: Draft): ServiceEntry {
  const all = isSignedIn ? [...headers, { name: 'Authorization', value: '' }] : headers;
  const entries = new Map<string, [string, unknown]>();
  for (const { name, value } of all) {
    const plain = name.toLowerCase();
    if (plain === 'host' || entries.has(plain))
      draft.notes.push(`not carried over: ${plain === 'host' ? 'the header Host' : 'a header that is written twice'}`);
    else if (HARMLESS.has(plain) && !REFERENCE.test(value)) entries.set(plain, [name, value]);
    else entries.set(plain, [name, { env: variableFor(name, `the value of the header ${name} of ${draft.key}`, draft) }]);
  }
  return Object.fromEntries(entries.values());
}

/** The name of a variable that the entry needs. */
function variableFor(what: string, content: string, { key, variables }: Draft): string {
  const name = `${key}_${what}`
    .replace(/\W+/g, '_')
    .replace(/^(?=\d)/, '_')
    .toUpperCase();
  variables.push([name, content]);
  return name;
}

/** Keys without which the check says less, but is still one. */
const SPARE = ['group', 'expect', 'headers', 'certificate', 'slowAfter'];

/** The entry without its invalid parts, or why nothing valid remains. */
function validated(entry: ServiceEntry, notes: string[]): ServiceEntry | Refusal {
  const result = service.safeParse(entry);
  if (result.success) return entry;
  const wrong = [...new Set(result.error.issues.map(({ path }) => String(path[0])))];
  if (!wrong.every((one) => SPARE.includes(one))) return new Refusal(`Vitrine does not accept its ${wrong.join(', ')}`);
  notes.push(`not carried over: ${wrong.join(', ')}, whose value Vitrine does not accept`);
  return validated(Object.fromEntries(Object.entries(entry).filter(([one]) => !wrong.includes(one))), notes);
}
