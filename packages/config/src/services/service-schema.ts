import { isIP } from 'node:net';
import { z } from 'zod';
import { leaf, leafOrNull, Refusal, list, object, orNull, parsed, textLeaf, isWebAddress } from '../validation/problems.js';
import { DAY, MINUTE } from '@vitrine/core';
import { groupName, host, label, oneOf, port, publishedAddress, serviceKey, tokenVariable, wholeNumber, yesOrNo } from '../config-fields.js';
import { duration, INTERVALS } from '../duration.js';

/** What the key `check` says. */
export type CheckTarget =
  | { readonly check: 'self' }
  | { readonly check: 'heartbeat' }
  | { readonly check: 'http'; readonly target: string }
  | { readonly check: 'tcp'; readonly target: { readonly host: string; readonly port: number } }
  | { readonly check: 'dns'; readonly target: string };

const HOST_NAME = /^(?=.{1,253}$)[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,62})(?:\.[A-Za-z0-9_][A-Za-z0-9_-]{0,62})*\.?$/;
const TCP = /^tcp:\/\/(\[[0-9A-Fa-f:.]+\]|[^:/?#\s@[\]]+):(\d{1,5})\/?$/i;
const DNS = /^dns:/i;
const WEB = /^https?:/i;

/** What is to be checked. Returns a reason if the text cannot be read. */
export function readCheckTarget(text: unknown): CheckTarget | Refusal {
  if (text === 'self' || text === 'heartbeat') return { check: text };
  if (typeof text !== 'string') return new Refusal('is not known');
  if (WEB.test(text)) return isWebAddress(text) ? { check: 'http', target: text } : new Refusal('is not a web address without user name');
  if (DNS.test(text)) return dnsTarget(text.slice('dns:'.length));
  return /^tcp:/i.test(text) ? tcpTarget(text) : new Refusal('is not known');
}

const checkTarget = leaf('self, heartbeat, an http or https address, tcp://host:port or dns:name', readCheckTarget);

function dnsTarget(name: string): CheckTarget | Refusal {
  return HOST_NAME.test(name) && isIP(name) === 0 ? { check: 'dns', target: name } : new Refusal('has no host name');
}

function tcpTarget(text: string): CheckTarget | Refusal {
  const [, written = '', digits = ''] = TCP.exec(text) ?? [];
  const host = hostOf(written);
  if (host === null) return new Refusal('has no host or no port');
  const port = Number(digits);
  return port > 0 && port <= 65_535 ? { check: 'tcp', target: { host, port } } : new Refusal('has no port from 1 to 65535');
}

/** A host name, an IPv4 address, or an IPv6 address in brackets. */
function hostOf(text: string): string | null {
  if (!text.startsWith('[')) return HOST_NAME.test(text) ? text : null;
  const address = text.slice(1, -1);
  return isIP(address) === 6 ? address : null;
}

const TOKEN = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/;
/** Visible ASCII, spaces and tabs: the characters of a header that all programs read in the same way. */
const HEADER_VALUE = /^[ -~\t]{1,4096}$/;
const VARIABLE = /^[A-Za-z_]\w{0,254}$/;
/** The client sends these itself. */
const OWN_HEADERS = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'accept-encoding', 'upgrade', 'te', 'trailer', 'expect']);
const MOST_HEADERS = 50;
const MOST_STATUSES = 20;

const HEADERS_RULE = 'names and values, such as Accept: text/plain or Authorization: { env: WEB_TOKEN }';

const variable = textLeaf('the name of an environment variable', 'is not such a name', (value) => VARIABLE.test(value));

const headerText = textLeaf('a text of visible characters, or { env: NAME }', 'is not such a text', (value) => HEADER_VALUE.test(value));

const fromEnvironment = object('a text, or { env: NAME }', { env: variable }).transform(({ env }) => ({ variable: env }));

const headerValue = z.union([headerText, fromEnvironment], { error: () => 'is not a value of a header; write a text, or { env: NAME }' });

/** A header of a request: its value, or the name of the environment variable that contains it. */
export interface HeaderConfig {
  readonly name: string;
  readonly value: string | { readonly variable: string };
}

const headers = z
  .record(z.string(), headerValue, { error: () => `is not an object; write ${HEADERS_RULE}` })
  .transform((value, context): readonly HeaderConfig[] => {
    const named = Object.entries(value).map(([name, text]) => ({ name: name.toLowerCase(), value: text }));
    const wrong = named.find(({ name }) => !TOKEN.test(name) || OWN_HEADERS.has(name));
    if (wrong === undefined && named.length <= MOST_HEADERS) return named;
    const problem =
      wrong === undefined ? `has more than ${String(MOST_HEADERS)} headers` : `has a header ${JSON.stringify(wrong.name)} that cannot be set`;
    context.issues.push({ code: 'custom', message: `${problem}; write ${HEADERS_RULE}`, input: value });
    return z.NEVER;
  });

const [LEAST_STATUS, MOST_STATUS] = [100, 599];

/** A status, or all of a range such as `200-299`. */
const status = leaf('a status from 100 to 599, or a range such as 200-299', (value): readonly number[] | Refusal => {
  const [, first, last = first] = /^(\d{3})(?:-(\d{3}))?$/.exec(typeof value === 'number' ? String(value) : String(value).trim()) ?? [];
  const [from, to] = [Number(first), Number(last)];
  if (first === undefined || from < LEAST_STATUS || to > MOST_STATUS || from > to) return new Refusal('is not a status');
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
});

const statuses = z
  .preprocess(
    (value): unknown => (Array.isArray(value) ? value : [value]),
    list('a status such as 200, or a list such as [200, 301-308]', status, MOST_STATUSES, 1),
  )
  .transform((ranges): readonly number[] => [...new Set(ranges.flat())]);

const soughtText = textLeaf('a text of 1 to 1000 characters', 'is not such a text', (value) => value !== '' && value.length <= 1_000);

/** Without `$` at its start and brackets: those who write JSONPath mean something else, and would get an outage for it. */
const jsonPath = textLeaf('the names and positions that lead to a value, such as status or checks.0.state', 'is not such a path', (value) =>
  /^(?!\$(?:\.|$))[^.\s[\]]{1,100}(?:\.[^.\s[\]]{1,100}){0,9}$/.test(value),
);

const scalar = leafOrNull('a text, a number, true or false', (value) =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : new Refusal('is not such a value'),
);

const expectation = object('status, text or json below it', {
  status: orNull(statuses),
  text: orNull(soughtText),
  json: orNull(object('path and equals below it', { path: jsonPath, equals: scalar })),
});
export type ExpectConfig = z.output<typeof expectation>;

const FORM = 'an object with key, name and check';

/** What every service has. */
const every = {
  key: serviceKey,
  name: label,
  check: checkTarget,
  interval: duration(...INTERVALS).prefault('30s'),
  /** The group in which pages show it; `null`: it is in none. */
  group: groupName.nullable().default(null),
  /** Its place on the pages, smaller numbers first; `null`: its place in the file. */
  order: wholeNumber(0, 10_000).nullable().default(null),
};

/** What a service has that is reached over a network. */
const reached = {
  ...every,
  /** The page that is published; unset: derived from the checked address, or the page of the service in Vitrine; `false`: always the latter. */
  url: orNull(publishedAddress),
  timeout: duration('1s', '60s').prefault('5s'),
  /** A response that takes longer counts as degraded. */
  slowAfter: orNull(duration('1ms', '60s')),
  /** How many more attempts must fail before an outage is stored. */
  confirmAfter: wholeNumber(0, 5).default(2),
  /** Whether the address may lead into a private network. Such an address is never published. */
  allowPrivate: yesOrNo.default(false),
  /** Whether somebody else runs it. Then it does not count in the overall state. */
  dependency: yesOrNo.default(false),
};

/** The health of this server, checked over HTTP. */
const selfService = object(FORM, every).transform(({ interval: intervalMs, ...fields }) => ({ ...fields, intervalMs }));

/** A service that reports itself. Its checks are valid for the interval and the grace. */
const heartbeatService = object(FORM, {
  ...every,
  interval: duration('10s', '31d'),
  grace: duration('0s', '1d').exactOptional(),
  /** The name of the environment variable that contains the token. */
  token: tokenVariable,
  url: orNull(publishedAddress),
}).transform(({ interval: intervalMs, grace: graceMs = defaultGrace(intervalMs), token: tokenVariable, ...fields }) => {
  return { ...fields, intervalMs, graceMs, tokenVariable };
});

/** A tenth of the interval, at least a minute and at most a day. */
function defaultGrace(intervalMs: number): number {
  return Math.min(DAY, Math.max(MINUTE, Math.ceil(intervalMs / 10)));
}

const reachedService = object(FORM, reached).transform(({ interval: intervalMs, timeout: timeoutMs, slowAfter: slowAfterMs, ...fields }) => {
  return { ...fields, intervalMs, timeoutMs, slowAfterMs };
});

const httpService = object(FORM, {
  ...reached,
  method: oneOf(['GET', 'HEAD', 'POST']).default('GET'),
  headers: headers.prefault({}),
  expect: expectation.prefault({}),
  /** How many redirects are followed. With 0, the redirect is the response. */
  redirects: wholeNumber(0, 10).default(5),
  /** A certificate that expires sooner counts as degraded. */
  certificate: duration('0d', '365d').prefault('14d'),
}).transform(({ interval: intervalMs, timeout: timeoutMs, slowAfter: slowAfterMs, certificate: certificateMs, ...fields }) => {
  return { ...fields, intervalMs, timeoutMs, slowAfterMs, certificateMs };
});

const SCHEMAS = { self: selfService, heartbeat: heartbeatService, http: httpService, tcp: reachedService, dns: reachedService } as const;

/** What is checked may contain credentials in its query, so it is never published as it is. */
type Checked<Kind extends CheckTarget['check']> = Omit<z.output<(typeof SCHEMAS)[Kind]>, 'check'> & Extract<CheckTarget, { readonly check: Kind }>;

export type SelfServiceConfig = Checked<'self'>;
export type HeartbeatServiceConfig = Checked<'heartbeat'>;
export type HttpServiceConfig = Checked<'http'>;
export type TcpServiceConfig = Checked<'tcp'>;
export type DnsServiceConfig = Checked<'dns'>;
export type ReachedServiceConfig = HttpServiceConfig | TcpServiceConfig | DnsServiceConfig;
export type ServiceConfig = SelfServiceConfig | HeartbeatServiceConfig | ReachedServiceConfig;

/** The keys of a service depend on `check`. If that cannot be read, all keys are accepted, so that only `check` is reported. */
export const service = z.unknown().transform((value, context): ServiceConfig => {
  const target = readCheckTarget(typeof value === 'object' && value !== null ? Reflect.get(value, 'check') : undefined);
  const isRead = !(target instanceof Refusal);
  const fields = parsed<z.ZodType<object>>(SCHEMAS[isRead ? target.check : 'http'], value, context);
  // TypeScript cannot follow that the fields and the target are of one kind.
  return { ...fields, ...(isRead && target) } as ServiceConfig;
});

const canaryTarget = leaf('an http or https address, or tcp://host:port', (value) => {
  const target = readCheckTarget(value);
  if (target instanceof Refusal) return target;
  if (target.check === 'http') return { kind: target.check, url: target.target };
  return target.check === 'tcp' ? { kind: target.check, ...target.target } : new Refusal('is not known');
});

/** An address that is checked when a service fails: if it fails too, the network of this server is the cause. In the file, it may be the address alone. */
export const canary = z.preprocess(
  (value) => (typeof value === 'string' ? { check: value } : value),
  object('an address such as https://example.org, or an object with check and allowPrivate', {
    check: canaryTarget,
    allowPrivate: yesOrNo.default(false),
  }).transform(({ check: target, allowPrivate }) => ({ target, allowPrivate })),
);
export type CanaryConfig = z.output<typeof canary>;

export const heartbeats = object('port and host below it, or remove the key', { port: port.default(3001), host: host.default('127.0.0.1') });
export type HeartbeatsConfig = z.output<typeof heartbeats>;
