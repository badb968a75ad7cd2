import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { openApiDocument } from '../../src/openapi/document.js';
import { documentTypeOf } from './documents.js';

interface Described {
  readonly paths: Readonly<Record<string, { readonly get: { readonly responses: Readonly<Record<string, unknown>> } }>>;
  readonly components: Readonly<Record<string, unknown>>;
}

/** The document with every object closed: a field that it does not describe is a violation. */
const closed = JSON.parse(JSON.stringify(openApiDocument()), (_key, value: unknown) =>
  isObject(value) && value['type'] === 'object' && 'properties' in value ? { ...value, additionalProperties: false } : value,
) as Described;

/** Each schema is used only a few times, so compilation must be fast, and each component is compiled once. */
const ajv = new Ajv2020({ strict: false, allErrors: true, inlineRefs: false, code: { optimize: false } });
formats.default(ajv);
ajv.addSchema({ $id: 'https://vitrine.example/openapi', ...closed });

/** An id or a sha at the end may contain slashes, but no empty and no dot segments. */
const SPANNING = '(?!\\.{1,2}(/|$))[^/]+(/(?!\\.{1,2}(/|$))[^/]+)*';

/** Templates with the fewest parameters first. */
const templates = Object.keys(closed.paths)
  .map((template) => ({
    template,
    pattern: new RegExp(
      `^${template
        .replace(/[.]/g, '\\.')
        .replace(/\{(id|sha)\}$/, SPANNING)
        .replace(/\{\w+\}/g, '[^/]+')}$`,
    ),
    parts: template.split('{'),
  }))
  .sort((a, b) => a.parts.length - b.parts.length);

const validators = new Map<string, ValidateFunction>();

export interface Received {
  readonly method: string;
  /** The target as it was sent. */
  readonly target: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** The violations of the published document in a response; empty if there are none. */
export function contractViolations(answer: Received): readonly string[] {
  return [...headerViolations(answer), ...bodyViolations(answer)];
}

/** Items of a list of structured fields (RFC 9651), as the draft of the RateLimit headers describes them. */
const POLICY_ITEM = /^"[a-z]+";q=[1-9]\d{0,14};w=60$/;
const LIMIT_ITEM = /^"[a-z]+";r=\d{1,15};t=(?:[1-9]|[1-5]\d|60)$/;

function isListOf(item: RegExp, value: string | string[] | undefined): boolean {
  return (
    value === undefined ||
    String(value)
      .split(', ')
      .every((text) => item.test(text))
  );
}

function headerViolations({ headers, status, target }: Received): readonly string[] {
  const found: string[] = [];
  const must = (isRight: boolean, what: string): unknown => isRight || found.push(`${target} (${String(status)}): ${what}`);
  must(/^[0-9a-f-]{36}$/.test(String(headers['x-request-id'])), 'no X-Request-Id');
  const describes = status !== 304;
  must(!describes || headers['x-content-type-options'] === 'nosniff', 'no nosniff');
  must(!describes || String(headers['content-security-policy']).startsWith("default-src 'none'"), 'no Content-Security-Policy');
  must(!describes || headers['referrer-policy'] === 'no-referrer', 'no Referrer-Policy');
  must(!describes || headers['cross-origin-resource-policy'] === 'cross-origin', 'no Cross-Origin-Resource-Policy');
  must(headers['access-control-allow-origin'] === '*', 'no CORS');
  must(headers['x-powered-by'] === undefined, 'X-Powered-By');
  must(status < 400 || headers['cache-control'] === 'no-store', 'a cacheable error');
  must(headers['surrogate-key'] === undefined || String(headers['cache-control']).startsWith('public'), 'a purge header on what no cache keeps');
  must(/^([0-9a-f]{8}( |$)){0,100}$/.test(String(headers['surrogate-key'] ?? '')), 'a malformed purge header');
  must(status !== 503 || headers['retry-after'] !== undefined || target.startsWith('/readyz'), 'a 503 without Retry-After');
  const isKept = String(headers['cache-control']).startsWith('public');
  must(status > 304 || headers['location'] !== undefined || (headers['etag'] !== undefined) === isKept, 'a tag exactly on what caches keep');
  must(headers['etag'] === undefined || /^W\/"[\w-]{22}"$/.test(String(headers['etag'])), 'a malformed tag');
  const vary = /^\/(\?|$)/.test(target) ? /^(Accept, )?Accept-Encoding$/ : /^Accept-Encoding$/;
  must(!isKept || vary.test(String(headers['vary'])), 'no Vary');
  must(status !== 429 || /^[1-9]\d*$/.test(String(headers['retry-after'])), 'a 429 without seconds to wait');
  must(status !== 429 || headers['ratelimit'] !== undefined, 'a 429 without RateLimit');
  must(isListOf(POLICY_ITEM, headers['ratelimit-policy']), 'a malformed RateLimit-Policy');
  must(isListOf(LIMIT_ITEM, headers['ratelimit']), 'a malformed RateLimit');
  must((headers['ratelimit'] === undefined) === (headers['ratelimit-policy'] === undefined), 'one of the RateLimit headers without the other');
  must(status !== 405 || headers['allow'] !== undefined, 'a 405 without Allow');
  return found;
}

function bodyViolations({ method, target, status, headers, body }: Received): readonly string[] {
  if (method === 'HEAD' || status === 204 || status === 304 || status === 308) return body === '' ? [] : [`${method} ${target}: a body`];
  const type = String(headers['content-type']).split(';', 1)[0] ?? '';
  if (isDocument(type)) return [];
  if (status >= 400 && type !== 'application/problem+json' && !target.startsWith('/readyz')) return [`${target}: ${String(status)} as ${type}`];
  const documentType = status === 200 ? documentTypeOf(target) : null;
  if (documentType !== null) return headers['content-type'] === documentType ? [] : [`${target}: a document as ${type}`];
  const template = templateOf(target);
  if (template === null) return violations('#/components/schemas/Problem', JSON.parse(body), `${target} ${String(status)}`);
  return documentedViolations(template, status, type, body, target);
}

const DOCUMENTS: ReadonlySet<string> = new Set([
  'text/html',
  'image/png',
  'text/css',
  'text/javascript',
  'image/svg+xml',
  'application/xml',
  'application/manifest+json',
]);

/** The OpenAPI document describes the API, not the pages and what they load. */
function isDocument(type: string): boolean {
  return DOCUMENTS.has(type);
}

function documentedViolations(template: string, status: number, type: string, body: string, target: string): readonly string[] {
  const { responses = {} } = closed.paths[template]?.get ?? {};
  const named = String(status) in responses ? String(status) : 'default';
  const response = resolve(responses[named]);
  const content = isObject(response) && isObject(response['content']) ? response['content'][type] : undefined;
  if (content === undefined) return [`${target}: ${template} documents no ${String(status)} as ${type}`];
  if (!type.endsWith('json')) return [];
  const reference = refOf(responses[named]) ?? `#/paths/${escaped(template)}/get/responses/${named}`;
  return violations(`${reference}/content/${escaped(type)}/schema`, JSON.parse(body), `${target} ${String(status)}`);
}

function violations(pointer: string, body: unknown, what: string): readonly string[] {
  const validate = validators.get(pointer) ?? ajv.compile({ $ref: `https://vitrine.example/openapi${pointer}` });
  validators.set(pointer, validate);
  return validate(body)
    ? []
    : (validate.errors ?? []).map(({ instancePath, message, params }) => `${what} ${instancePath}: ${String(message)} ${JSON.stringify(params)}`);
}

/** The template that matches the path of a target. Literal segments are preferred. */
function templateOf(target: string): string | null {
  const path = target.split('?', 1)[0] ?? '';
  return templates.find(({ pattern }) => pattern.test(path))?.template ?? null;
}

function resolve(value: unknown): unknown {
  const name = refOf(value)?.split('/').at(-1);
  const responses = closed.components['responses'];
  return name === undefined ? value : isObject(responses) ? responses[name] : undefined;
}

function refOf(value: unknown): string | undefined {
  return isObject(value) && typeof value['$ref'] === 'string' ? value['$ref'] : undefined;
}

/** Escapes a segment of a JSON pointer for a URI fragment. */
function escaped(segment: string): string {
  return encodeURIComponent(segment.replaceAll('~', '~0').replaceAll('/', '~1'));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
