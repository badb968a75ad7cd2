import { object, pathText, privateText, problemsOf, type Problem, wrong } from '@vitrine/config/internal';
import { isSha, KINDS, LISTED_KINDS, nearest, NO_REPOSITORY, parseDate, parseDateTime, parseRepositoryName, publishableRecord } from '@vitrine/core';
import type { ListedKind, RecordIdentity, RecordKind, RepositoryRef, ScopeRef } from '@vitrine/core';
import { z } from 'zod';
import { DEFAULTS_KIND, describedLine, isObject, mayBeScoped, readDefaults, scopeOfLine, withDefaults } from './described-line.js';
import type { LineContext, LineReader } from './described-line.js';
import { REFUSALS, type DecodedLine, type LineOfRecord } from './record-batch.js';
import { opaque } from './record-fields.js';
import { incidentLine, statusDayLine, syncLine } from './status-lines.js';

const VOUCHED_BY = 'vouchedBy';
const SOURCE_ID = /^[a-z]{1,20}:[^\p{C}]{1,300}$/u;
const UNVOUCHED: readonly RecordKind[] = ['sync', 'check', 'status-day'];

/** Without a limit, a line could cause nearly as many problems as it has characters. */
const MOST_PROBLEMS = 50;

export type DecodeLine = typeof decodeLine;

/** Decodes one line of a records file. Every problem has the form `path: problem; remedy`. */
export function decodeLine(text: string, context: LineContext): DecodedLine {
  const value = objectIn(text);
  if (typeof value === 'string') return bad([{ path: [], message: `${value}; write one record on each line` }]);
  const decoded = decodedObject(value, context);
  if ('type' in decoded) return decoded.type === 'record' ? judged(decoded, context.defaults === undefined ? text : null) : decoded;
  return bad(decoded);
}

type Decoded = DecodedLine | readonly Problem[];

function decodedObject(value: object, context: LineContext): Decoded {
  const kind: unknown = Reflect.get(value, 'kind');
  if (kind === DEFAULTS_KIND) {
    const defaults = readDefaults(value);
    return 'provenance' in defaults ? { type: 'defaults', defaults } : defaults;
  }
  if (typeof kind !== 'string' || !isRecordKind(kind)) return [{ path: ['kind'], message: unknownKind(kind) }];
  if (Reflect.has(value, 'deleted')) return decodedDeletion(value, kind, context);
  return Reflect.has(value, VOUCHED_BY) && !UNVOUCHED.includes(kind) ? decodedStatement(value, kind, context) : decodedRecord(value, kind, context);
}

function decodedStatement(value: object, kind: RecordKind, context: LineContext): Decoded {
  const { [VOUCHED_BY]: source, ...line } = value as Readonly<Record<string, unknown>>;
  if (typeof source !== 'string' || !SOURCE_ID.test(source)) {
    const message = `${wrong(source, 'is not the id of a source')}; write one such as git:acme/widget, or leave it out`;
    return [{ path: [VOUCHED_BY], message }];
  }
  const decoded = decodedRecord(line, kind, context);
  return 'type' in decoded ? { ...decoded, vouchedBy: source } : decoded;
}

const WITHOUT_PROVENANCE: readonly RecordKind[] = ['sync', 'status-day'];

function decodedRecord(value: object, kind: RecordKind, context: LineContext): LineOfRecord | readonly Problem[] {
  const { defaults = null } = context;
  const line = defaults === null || WITHOUT_PROVENANCE.includes(kind) ? value : withDefaults(value, defaults);
  const record = LINE_READERS[kind](line, context);
  return 'kind' in record ? { type: 'record', record } : record;
}

/** Every e-mail address, and every id with a repository's name, contains one of these. */
const MARKS = ['@', '%', '&', '\\', '\uff20', '\ufe6b'];

/** Removes e-mail addresses, or rejects the line, because a strict import must know before it stores. @param text `null` if the record has more than the line */
function judged(line: LineOfRecord, text: string | null): DecodedLine {
  // Most lines contain no mark, and to check that is faster than to check every field.
  if (text !== null && !MARKS.some((mark) => text.includes(mark))) return line;
  const record = publishableRecord(line.record);
  return typeof record === 'string' ? { type: 'bad', problems: [REFUSALS[record]] } : { ...line, record };
}

/** The object of a line, or what is wrong with the line. */
function objectIn(text: string): object | string {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : 'is not a JSON object';
  } catch (error) {
    return `is not JSON (${error instanceof SyntaxError ? withoutSnippet(error.message) : 'too deep'})`;
  }
}

/** Removes the quoted text from a parser's message, because it may be long or private. */
function withoutSnippet(message: string): string {
  return message
    .replace(/, (?:\.\.\.)?".*$/s, '')
    .replace(/^(Unexpected token) [^,]*/u, '$1')
    .slice(0, 100);
}

function bad(problems: readonly Problem[]): DecodedLine {
  const lines = problems
    .slice(0, MOST_PROBLEMS)
    .map(({ path, message }) => (path.length === 0 ? `the line ${message}` : `${pathText(path)}: ${message}`));
  const more = problems.length - lines.length;
  return { type: 'bad', problems: more > 0 ? [...lines, `the line has ${String(more)} more ${more === 1 ? 'problem' : 'problems'}`] : lines };
}

function unknownKind(kind: unknown): string {
  const near = typeof kind === 'string' ? nearest(kind, RECORD_KINDS) : null;
  return `${wrong(kind, 'is not a kind of record')}; ${near === null ? `write one of ${RECORD_KINDS.join(', ')}` : `did you mean ${near}?`}`;
}

const LISTED = LISTED_KINDS.filter((kind) => kind !== 'incident').map((kind) => [kind, describedLine(kind)]);

/** The reader of each kind. An export writes the kinds in this order: incidents after their services. */
const LINE_READERS: Readonly<Record<RecordKind, LineReader>> = {
  repository: describedLine('repository'),
  ...(Object.fromEntries(LISTED) as Record<Exclude<ListedKind, 'incident'>, LineReader>),
  service: describedLine('service'),
  check: describedLine('check'),
  'status-day': statusDayLine,
  incident: incidentLine,
  sync: syncLine,
};

export const RECORD_KINDS: readonly string[] = Object.keys(LINE_READERS);

function isRecordKind(text: string): text is RecordKind {
  return Object.hasOwn(LINE_READERS, text);
}

const deletion = object('a deletion', {
  kind: opaque,
  id: privateText('the id of the record', 'is not an id', (value) => value !== '' && value.length <= 1_000),
  ...mayBeScoped,
  deleted: z.literal(true, { error: 'is not true; write true, or leave it out' }),
});

/** The form of the id for kinds whose deletion does not use the record's own `id`. */
const ID_FORMS: Partial<Record<RecordKind, string>> = {
  repository: 'owner/name',
  commit: 'owner/name@sha',
  release: 'owner/name@tag',
  check: 'serviceKey@checkedAt@source',
  'status-day': 'serviceKey@date',
  finding: 'the id, and repository beside it',
  build: 'the id, and repository beside it',
};

/** Decodes `{"kind", "id", "deleted": true}`. */
function decodedDeletion(value: object, kind: RecordKind, context: LineContext): Decoded {
  const result = deletion.safeParse(value);
  if (!result.success) return problemsOf(result.error.issues, value);
  const { id, repository, repositoryRef } = result.data;
  const named = parseRepositoryName(String(id.split('@', 1)[0]));
  const scope = scopeOfLine(repository ?? (repositoryRef === undefined ? null : named), repositoryRef, context);
  if (typeof scope !== 'string') return scope;
  const identity = identityOf(kind, id, scope, repositoryRef ?? (named && context.refOf(named)));
  return identity === null ? [noRecord(kind)] : { type: 'deletion', identity, ofAnyRef: repositoryRef === undefined };
}

function noRecord(kind: RecordKind): Problem {
  return { path: ['id'], message: `names no ${kind}; write ${ID_FORMS[kind] ?? 'its id'}` };
}

/** @param scope of the field `repository`; `-` without it @param ref that of the repository before the first `@` of the id; `null` without one */
function identityOf(kind: RecordKind, id: string, scope: ScopeRef, ref: RepositoryRef | null): RecordIdentity | null {
  switch (kind) {
    case 'repository':
    case 'commit':
    case 'release':
      return ref === null ? null : ofNamed(kind, id, ref);
    case 'service':
      return { kind, key: id };
    case 'check':
      return checkOf(id);
    case 'status-day':
      return dayOf(id);
    case 'sync':
      return { kind, id };
    default:
      return ofListed(kind, id, scope);
  }
}

function ofListed(kind: Exclude<ListedKind, 'commit' | 'release'>, id: string, scope: ScopeRef): RecordIdentity | null {
  if (kind === 'news' || kind === 'incident') return scope === NO_REPOSITORY ? { kind, id } : null;
  return scope === NO_REPOSITORY && KINDS[kind].ownership === 'always' ? null : { kind, repositoryRef: scope, id };
}

/** `owner/name`, `owner/name@sha` or `owner/name@tag`. */
function ofNamed(kind: 'repository' | 'commit' | 'release', id: string, repositoryRef: RepositoryRef): RecordIdentity | null {
  const at = id.indexOf('@');
  if (kind === 'repository') return at < 0 ? { kind, repositoryRef } : null;
  const rest = at < 0 ? '' : id.slice(at + 1);
  if (kind === 'release') return rest === '' ? null : { kind, repositoryRef, id };
  const sha = rest.toLowerCase();
  return isSha(sha) ? { kind, repositoryRef, sha } : null;
}

/** `serviceKey@checkedAt@source`; a source may contain any characters. */
function checkOf(id: string): RecordIdentity | null {
  const [serviceKey = '', time = '', ...source] = id.split('@');
  const checkedAt = parseDateTime(time);
  return serviceKey === '' || checkedAt === null || source.length === 0 ? null : { kind: 'check', serviceKey, checkedAt, source: source.join('@') };
}

function dayOf(id: string): RecordIdentity | null {
  const [serviceKey = '', date = ''] = id.split('@');
  const day = parseDate(date);
  return serviceKey === '' || day === null ? null : { kind: 'status-day', serviceKey, day };
}
