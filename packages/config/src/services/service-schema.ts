import { z } from 'zod';
import { leaf, leafOrNull, Refusal, list, object, parsed, textLeaf } from '../validation/problems.js';
import {
  type ExpectConfig,
  type HeaderConfig,
  checkTarget,
  readCheckTarget,
  type CheckTarget,
  type CanaryConfig,
  type ReachedServiceConfig,
  type ServiceConfig,
} from './service-config.js';
import { DAY, MINUTE } from '@vitrine/core';
import { groupName, host, label, oneOf, port, publishedAddress, serviceKey, tokenVariable, wholeNumber, yesOrNo } from '../config-fields.js';
import { duration } from '../duration.js';
import { INTERVALS } from '../source-file.js';

const TOKEN = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/;
/** Visible ASCII, spaces and tabs: the characters of a header that all programs read in the same way. */
const HEADER_VALUE = /^[ -~\t]{1,4096}$/;
const VARIABLE = /^[A-Za-z_]\w{0,254}$/;
/** The client sends these itself. */
const OWN_HEADERS = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'accept-encoding', 'upgrade', 'te', 'trailer', 'expect']);
const MOST_HEADERS = 50;
const MOST_STATUSES = 20;

const HEADERS_RULE = 'names and values, such as Accept: text/plain or Authorization: { env: WEB_TOKEN }';

/** The name of an environment variable. */
const variable = textLeaf('the name of an environment variable', 'is not such a name', (value) => VARIABLE.test(value));

const headerText = textLeaf('a text of visible characters, or { env: NAME }', 'is not such a text', (value) => HEADER_VALUE.test(value));

const fromEnvironment = object('a text, or { env: NAME }', { env: variable }).transform(({ env }) => ({ variable: env }));

const headerValue = z.union([headerText, fromEnvironment], { error: () => 'is not a value of a header; write a text, or { env: NAME }' });

/** Headers of requests, as an object. */
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

const jsonPath = textLeaf('the path of a value, such as status or checks.0.state', 'is not such a path', (value) =>
  /^[^.\s]{1,100}(?:\.[^.\s]{1,100}){0,9}$/.test(value),
);

const scalar = leafOrNull('a text, a number, true or false', (value) =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : new Refusal('is not such a value'),
);

/** What an HTTP response must have. */
const expectation = object('status, text or json below it', {
  status: statuses.exactOptional(),
  text: soughtText.exactOptional(),
  json: object('path and equals below it', { path: jsonPath, equals: scalar }).exactOptional(),
}).transform(({ status: accepted = null, text = null, json = null }): ExpectConfig => ({ status: accepted, text, json }));

const FORM = 'an object with key, name and check';

const every = {
  key: serviceKey,
  name: label,
  check: checkTarget,
  interval: duration(...INTERVALS).prefault('30s'),
  group: groupName.nullable().default(null),
  order: wholeNumber(0, 10_000).nullable().default(null),
};

/** Its checks are valid for the interval and the grace. */
const heartbeatService = object(FORM, {
  ...every,
  interval: duration('10s', '31d'),
  grace: duration('0s', '1d').exactOptional(),
  token: tokenVariable,
  url: publishedAddress.exactOptional(),
}).transform(({ key, name, interval, group, order, grace, token, url }): ServiceConfig => {
  const graceMs = grace ?? defaultGrace(interval);
  return { key, name, group, order, check: 'heartbeat', intervalMs: interval, graceMs, tokenVariable: token, url: url ?? null };
});

/** A tenth of the interval, at least a minute and at most a day. */
function defaultGrace(intervalMs: number): number {
  return Math.min(DAY, Math.max(MINUTE, Math.ceil(intervalMs / 10)));
}

const reached = {
  ...every,
  url: publishedAddress.exactOptional(),
  timeout: duration('1s', '60s').prefault('5s'),
  slowAfter: duration('1ms', '60s').exactOptional(),
  confirmAfter: wholeNumber(0, 5).default(2),
  allowPrivate: yesOrNo.default(false),
  dependency: yesOrNo.default(false),
};

const selfService = object(FORM, every).transform(({ interval, ...fields }): ServiceConfig => ({ ...fields, check: 'self', intervalMs: interval }));

const reachedShape = object(FORM, reached);
const reachedService = reachedShape.transform((fields): ServiceConfig => {
  const { check } = fields;
  const common = commonOf(fields);
  if (check.check === 'tcp') return { ...common, check: 'tcp', target: check.target };
  return { ...common, check: 'dns', target: textOf(check) };
});

const httpService = object(FORM, {
  ...reached,
  method: oneOf(['GET', 'HEAD', 'POST']).default('GET'),
  headers: headers.prefault({}),
  expect: expectation.prefault({}),
  redirects: wholeNumber(0, 10).default(5),
  certificate: duration('0d', '365d').prefault('14d'),
}).transform((fields): ServiceConfig => {
  const { method, headers: sent, expect, redirects, certificate: certificateMs } = fields;
  return { ...commonOf(fields), check: 'http', target: textOf(fields.check), method, headers: sent, expect, redirects, certificateMs };
});

const SCHEMAS = { self: selfService, heartbeat: heartbeatService, http: httpService, tcp: reachedService, dns: reachedService } as const;

/** The keys of a service depend on `check`. If that cannot be read, all keys are accepted, so that only `check` is reported. */
export const service = z.unknown().transform((value, context): ServiceConfig => {
  const target = readCheckTarget(typeof value === 'object' && value !== null ? Reflect.get(value, 'check') : undefined);
  return parsed<z.ZodType<ServiceConfig>>(SCHEMAS[target instanceof Refusal ? 'http' : target.check], value, context);
});

const canaryTarget = leaf('an http or https address, or tcp://host:port', (value): CanaryConfig['target'] | Refusal => {
  const target = readCheckTarget(value);
  if (target instanceof Refusal) return target;
  if (target.check === 'http') return { kind: 'http', url: target.target };
  return target.check === 'tcp' ? { kind: 'tcp', ...target.target } : new Refusal('is not known');
});

/** An address, or an object. */
export const canary = z.preprocess(
  (value) => (typeof value === 'string' ? { check: value } : value),
  object('an address such as https://example.org, or an object with check and allowPrivate', {
    check: canaryTarget,
    allowPrivate: yesOrNo.default(false),
  }).transform(({ check: target, allowPrivate }): CanaryConfig => ({ target, allowPrivate })),
);

/** Where heartbeats are received. */
export const heartbeats = object('port and host below it, or remove the key', { port: port.default(3001), host: host.default('127.0.0.1') });

function commonOf(fields: z.output<typeof reachedShape>) {
  const { key, name, group, order, interval, url, timeout, slowAfter, confirmAfter, allowPrivate, dependency } = fields;
  const slowAfterMs = slowAfter ?? null;
  const published: ReachedServiceConfig['url'] = url ?? null;
  return { key, name, group, order, url: published, intervalMs: interval, timeoutMs: timeout, slowAfterMs, confirmAfter, allowPrivate, dependency };
}

function textOf(target: CheckTarget): string {
  return 'target' in target && typeof target.target === 'string' ? target.target : '';
}
