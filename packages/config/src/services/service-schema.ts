import { DAY, MINUTE } from '@vitrine/core';
import { z } from 'zod';
import { groupName, host, label, oneOf, port, publishedAddress, serviceKey, tokenVariable, wholeNumber, yesOrNo } from '../config-fields.js';
import { duration } from '../duration.js';
import { INTERVALS } from '../source-schemas.js';
import { parsed } from '../validation/parsed.js';
import { object } from '../validation/structure.js';
import { leaf, Refusal } from '../validation/leaf.js';
import { checkTarget, readCheckTarget, type CheckTarget } from './check-target.js';
import type { CanaryConfig, ReachedServiceConfig, ServiceConfig } from './service-config.js';
import { expectation, headers } from './service-fields.js';

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
