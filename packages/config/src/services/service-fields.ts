import { z } from 'zod';
import { leaf, leafOrNull, Refusal } from '../validation/leaf.js';
import { list, object } from '../validation/structure.js';
import type { ExpectConfig, HeaderConfig } from './service-config.js';

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
const variable = leaf('the name of an environment variable', (value) =>
  typeof value === 'string' && VARIABLE.test(value) ? value : new Refusal('is not such a name'),
);

const headerText = leaf('a text of visible characters, or { env: NAME }', (value) =>
  typeof value === 'string' && HEADER_VALUE.test(value) ? value : new Refusal('is not such a text'),
);

const fromEnvironment = object('a text, or { env: NAME }', { env: variable }).transform(({ env }) => ({ variable: env }));

const headerValue = z.union([headerText, fromEnvironment], { error: () => 'is not a value of a header; write a text, or { env: NAME }' });

/** Headers of requests, as an object. */
export const headers = z
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

const soughtText = leaf('a text of 1 to 1000 characters', (value) =>
  typeof value === 'string' && value !== '' && value.length <= 1_000 ? value : new Refusal('is not such a text'),
);

const jsonPath = leaf('the path of a value, such as status or checks.0.state', (value) =>
  typeof value === 'string' && /^[^.\s]{1,100}(?:\.[^.\s]{1,100}){0,9}$/.test(value) ? value : new Refusal('is not such a path'),
);

const scalar = leafOrNull('a text, a number, true or false', (value) =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : new Refusal('is not such a value'),
);

/** What an HTTP response must have. */
export const expectation = object('status, text or json below it', {
  status: statuses.exactOptional(),
  text: soughtText.exactOptional(),
  json: object('path and equals below it', { path: jsonPath, equals: scalar }).exactOptional(),
}).transform(({ status: accepted = null, text = null, json = null }): ExpectConfig => ({ status: accepted, text, json }));
