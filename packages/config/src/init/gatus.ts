import { MINUTE, SECOND } from '@vitrine/core';
import { PLAIN_CHECK, type ForeignCheck, type ForeignChecks } from './foreign-check.js';
import { at, goDuration, itemsAt, OTHER_NAME_SERVERS, presentKeys, textAt } from './foreign-values.js';
import { readConditions } from './gatus-conditions.js';

const DEFAULTS = { intervalMs: MINUTE, timeoutMs: 10 * SECOND };

/** Parts of the file that are about other things than checks. */
const OTHER_PARTS = ['alerting', 'maintenance', 'announcements', 'security', 'remote', 'tunneling'];
const OTHER_KEYS = ['body', 'graphql', 'ssh', 'maintenance-windows', 'extra-labels'];
const CLIENT_KEYS = ['insecure', 'oauth2', 'identity-aware-proxy', 'proxy-url', 'dns-resolver', 'tls', 'tunnel'];

/** The endpoints of Gatus (`config.yaml`). Versions before 3 call them services. */
export function readGatus(value: unknown): ForeignChecks {
  const endpoints = [...itemsAt(value, 'endpoints'), ...itemsAt(value, 'services')];
  const isOff = (endpoint: unknown): boolean => at(endpoint, 'enabled') === false;
  return {
    title: textAt(at(value, 'ui'), 'header') || null,
    checks: endpoints.filter((endpoint) => !isOff(endpoint)).map(checkOf),
    leftOut: [
      ...endpoints.filter(isOff).map((endpoint) => `${textAt(endpoint, 'name')}: is disabled`),
      ...presentKeys(value, OTHER_PARTS).map((key) => `${key}: Vitrine has no such part`),
      ...itemsAt(value, 'external-endpoints').map((one) => `${textAt(one, 'name')}: is an external endpoint, which reports itself`),
      ...itemsAt(value, 'suites').map((one) => `${textAt(one, 'name')}: is a suite, and Vitrine checks one address at a time`),
    ],
  };
}

function checkOf(endpoint: unknown): ForeignCheck {
  const client = at(endpoint, 'client');
  const { understood, unknown } = readConditions(itemsAt(endpoint, 'conditions').map(String));
  const queryName = textAt(at(endpoint, 'dns'), 'query-name');
  const headers = Object.entries(objectOf(at(endpoint, 'headers')));
  return {
    ...PLAIN_CHECK,
    name: textAt(endpoint, 'name'),
    group: textAt(endpoint, 'group'),
    address: queryName === '' ? textAt(endpoint, 'url') : `dns:${queryName}`,
    method: textAt(endpoint, 'method').toUpperCase() || 'GET',
    headers: headers.map(([name, text]) => ({ name, value: String(text) })),
    intervalMs: goDuration(textAt(endpoint, 'interval')) ?? DEFAULTS.intervalMs,
    timeoutMs: goDuration(textAt(client, 'timeout')) ?? DEFAULTS.timeoutMs,
    redirects: at(client, 'ignore-redirect') === true ? 0 : null,
    ...understood,
    unknown: [
      ...(queryName === '' ? [] : [OTHER_NAME_SERVERS]),
      ...presentKeys(endpoint, OTHER_KEYS).map((key) => `the key ${key}`),
      ...presentKeys(client, CLIENT_KEYS).map((key) => `the key client.${key}`),
      ...unknown,
    ],
  };
}

function objectOf(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}
