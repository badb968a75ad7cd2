import { parseDuration } from '../duration.js';
import { INTERVALS } from '../source-schemas.js';
import { readCheckTarget } from '../services/check-target.js';
import { service } from '../services/service-schema.js';
import { Refusal } from '../validation/leaf.js';
import type { ForeignCheck } from './foreign-check.js';
import { durationText } from './foreign-values.js';
import { isPrivateHost } from './private-host.js';

/** An entry of `services`, as it is written into the file. */
export type ServiceEntry = Readonly<Record<string, unknown>>;

/** What became of a check. */
export interface DraftedService {
  /** `null`: it cannot be carried over. */
  readonly entry: ServiceEntry | null;
  /** What was changed or left out, without values that may be secret. */
  readonly notes: readonly string[];
  /** The environment variables that the entry needs, and what each must contain. */
  readonly variables: readonly (readonly [name: string, content: string])[];
}

const MOST_CONFIRMATIONS = 5;
const MOST_REDIRECTS = 10;
const MOST_STATUSES = 20;
const [LEAST_INTERVAL = 0, MOST_INTERVAL = 0] = INTERVALS.map((text) => parseDuration(text) ?? 0);
const [LEAST_TIMEOUT, MOST_TIMEOUT] = [1_000, 60_000];
/** Only the values of these headers are copied: others may be secret. */
const HARMLESS = new Set(['accept', 'accept-language', 'cache-control', 'content-type', 'user-agent']);
const REFERENCE = /\$\{?[A-Za-z_]/;

/** The service of a check that another program made. Its entry is valid in a configuration file. @param key of the service */
export function draftedService(check: ForeignCheck, key: string, name: string): DraftedService {
  const notes: string[] = check.unknown.map((part) => `not carried over: ${part}`);
  const target = targetOf(check.address, notes);
  if (typeof target !== 'string') return { entry: null, notes: [target.reason], variables: [] };
  const sent = target.startsWith('http') ? headersOf(check, key, signsIn(check.address), notes) : { headers: {}, variables: [] };
  const entry = {
    key,
    name,
    check: target,
    ...(isPrivateHost(hostOf(target)) && { allowPrivate: true }),
    ...timesOf(check, notes),
    ...(check.confirmAfter !== null && { confirmAfter: Math.min(MOST_CONFIRMATIONS, Math.max(0, Math.round(check.confirmAfter))) }),
    ...(target.startsWith('http') && httpKeysOf(check, sent.headers, notes)),
  };
  return { ...validated(entry, notes), variables: sent.variables };
}

/** The address without credentials and without its query, which may contain some. */
function targetOf(address: string, notes: string[]): string | Refusal {
  if (REFERENCE.test(address)) return new Refusal('its address comes from an environment variable; write the address');
  const [plain = ''] = address.split(/[?#]/, 1);
  if (plain !== address) notes.push('the query of its address may contain a secret, so it was left out; add it if it does not');
  if (signsIn(address)) notes.push('the user name and password of its address were left out');
  const target = plain.replace(/^(https?:\/\/)[^/]*@/i, '$1');
  const read = readCheckTarget(target);
  if (read instanceof Refusal) return new Refusal('its address is not http, https, tcp://host:port or a host name');
  return target;
}

function signsIn(address: string): boolean {
  return /^https?:\/\/[^/?#]*@/i.test(address);
}

function hostOf(target: string): string {
  if (target.startsWith('dns:')) return 'example.org';
  return /^\w+:\/\/(\[[^\]]*\]|[^/:?#]*)/.exec(target)?.[1] ?? '';
}

function timesOf({ intervalMs, timeoutMs, slowAfterMs }: ForeignCheck, notes: string[]) {
  const interval = Math.min(MOST_INTERVAL, Math.max(LEAST_INTERVAL, intervalMs));
  if (interval !== intervalMs) notes.push(`its interval is ${durationText(interval)}, the nearest that is possible`);
  const timeout = Math.min(MOST_TIMEOUT, Math.max(LEAST_TIMEOUT, timeoutMs));
  const slowAfter = slowAfterMs === null ? null : Math.max(LEAST_TIMEOUT, slowAfterMs);
  const isSlowKept = slowAfter !== null && Math.ceil(slowAfter / LEAST_TIMEOUT) < Math.ceil(timeout / LEAST_TIMEOUT);
  if (isSlowKept) notes.push(`a response that takes longer than ${durationText(slowAfter)} is degraded, and no failure`);
  else if (slowAfter !== null) notes.push('its longest response time is not shorter than its time-out, so it was left out');
  return { interval: durationText(interval), timeout: durationText(timeout), ...(isSlowKept && { slowAfter: durationText(slowAfter) }) };
}

function httpKeysOf(check: ForeignCheck, headers: Readonly<Record<string, unknown>>, notes: string[]) {
  const { method, certificateMs, redirects } = check;
  return {
    ...(method !== 'GET' && { method }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...expectationOf(check, notes),
    ...(redirects !== null && { redirects: Math.min(MOST_REDIRECTS, Math.max(0, Math.round(redirects))) }),
    ...(certificateMs !== null && { certificate: durationText(certificateMs) }),
  };
}

function expectationOf({ status, text, json }: ForeignCheck, notes: string[]) {
  const isTooLong = status !== null && status.length > MOST_STATUSES;
  if (isTooLong) notes.push('it accepts too many statuses; now 200 to 299 are accepted');
  const expect = { ...(status !== null && !isTooLong && { status }), ...(text !== null && { text }), ...(json !== null && { json }) };
  return Object.keys(expect).length > 0 ? { expect } : {};
}

function headersOf({ headers }: ForeignCheck, key: string, isSignedIn: boolean, notes: string[]) {
  const all = isSignedIn ? [...headers, { name: 'Authorization', value: '' }] : headers;
  const variables: [string, string][] = [];
  const entries = all.flatMap(({ name, value }): [string, unknown][] => {
    if (HARMLESS.has(name.toLowerCase()) && !REFERENCE.test(value)) return [[name, value]];
    if (name.toLowerCase() === 'host') {
      notes.push('not carried over: the header Host');
      return [];
    }
    const variable = `${key}_${name}`
      .replace(/\W+/g, '_')
      .replace(/^(?=\d)/, '_')
      .toUpperCase();
    variables.push([variable, `the value of the header ${name} of ${key}`]);
    return [[name, { env: variable }]];
  });
  return { headers: Object.fromEntries(entries), variables };
}

/** Keys without which the check says less, but is still one. */
const SPARE = ['expect', 'headers', 'certificate', 'slowAfter'];

/** The entry without what is not valid in it; `null` if nothing valid remains. */
function validated(entry: ServiceEntry, notes: readonly string[]): Pick<DraftedService, 'entry' | 'notes'> {
  const result = service.safeParse(entry);
  if (result.success) return { entry, notes };
  const wrong = [...new Set(result.error.issues.map(({ path }) => String(path[0])))];
  if (wrong.every((one) => SPARE.includes(one))) {
    const kept = Object.fromEntries(Object.entries(entry).filter(([one]) => !wrong.includes(one)));
    return validated(kept, [...notes, `not carried over: ${wrong.join(', ')}, whose value Vitrine does not accept`]);
  }
  return { entry: null, notes: [`Vitrine does not accept its ${wrong.join(', ')}`] };
}
