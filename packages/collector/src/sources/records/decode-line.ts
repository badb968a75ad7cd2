import { pathText, type Problem, wrong } from '@vitrine/config/internal';
import { LISTED_KINDS, nearest, publishableRecord, type ListedKind, type RecordKind } from '@vitrine/core';
import { readDeletion } from './deletion.js';
import { describedLine } from './described-line.js';
import { DEFAULTS_KIND, readDefaults, withDefaults, type LineContext, type LineReader } from './line-reader.js';
import { refusalMessage, type DecodedLine } from './record-batch.js';
import { incidentLine, statusDayLine, syncLine } from './status-lines.js';

const VOUCHED_BY = 'vouchedBy';
const SOURCE_ID = /^[a-z]{1,20}:[^\p{C}]{1,300}$/u;
/** Kinds for which no source vouches. */
const UNVOUCHED: readonly RecordKind[] = ['sync', 'check', 'status-day'];

/** Without a limit, a line could cause nearly as many problems as it has characters. */
const MOST_PROBLEMS = 50;

export type DecodeLine = typeof decodeLine;

/** Decodes one line of a records file. Every problem has the form `path: problem; remedy`. */
export function decodeLine(text: string, context: LineContext): DecodedLine {
  const value = parse(text);
  if (value instanceof SyntaxError) return bad([{ path: [], message: `is not JSON (${value.message}); write one record on each line` }]);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return bad([{ path: [], message: 'is not a JSON object; write one record on each line' }]);
  return decodeObject(value, text, context);
}

function decodeObject(value: object, text: string, context: LineContext): DecodedLine {
  const kind: unknown = Reflect.get(value, 'kind');
  if (kind === DEFAULTS_KIND) return defaultsOf(value);
  return typeof kind === 'string' && isRecordKind(kind)
    ? judged(decodeKind(value, kind, context), context.defaults === undefined ? text : null)
    : bad([{ path: ['kind'], message: unknownKind(kind) }]);
}

function defaultsOf(value: object): DecodedLine {
  const defaults = readDefaults(value);
  return 'provenance' in defaults ? { type: 'defaults', defaults } : bad(defaults);
}

/** Kinds whose lines have no provenance. */
const WITHOUT_PROVENANCE: readonly RecordKind[] = ['sync', 'status-day'];

function decodeKind(value: object, kind: RecordKind, context: LineContext): DecodedLine {
  if (Reflect.has(value, 'deleted')) {
    const identity = readDeletion(value, kind, context);
    return 'kind' in identity ? { type: 'deletion', identity, ofAnyRef: !Reflect.has(value, 'repositoryRef') } : bad(identity);
  }
  return Reflect.has(value, VOUCHED_BY) && !UNVOUCHED.includes(kind) ? decodeVouched(value, kind, context) : decodeRecord(value, kind, context);
}

function decodeVouched(value: object, kind: RecordKind, context: LineContext): DecodedLine {
  const { [VOUCHED_BY]: source, ...line } = value as Readonly<Record<string, unknown>>;
  if (typeof source !== 'string' || !SOURCE_ID.test(source))
    return bad([
      { path: [VOUCHED_BY], message: `${wrong(source, 'is not the id of a source')}; write one such as git:acme/widget, or leave it out` },
    ]);
  const decoded = decodeRecord(line, kind, context);
  return decoded.type === 'record' ? { ...decoded, vouchedBy: source } : decoded;
}

function decodeRecord(value: object, kind: RecordKind, context: LineContext): DecodedLine {
  const { defaults = null } = context;
  const line = defaults === null || WITHOUT_PROVENANCE.includes(kind) ? value : withDefaults(value, defaults);
  const record = LINE_READERS[kind](line, context);
  return 'kind' in record ? { type: 'record', record } : bad(record);
}

/** Every e-mail address, and every id with a repository's name, contains one of these. */
const MARKS = ['@', '%', '&', '\\', '\uff20', '\ufe6b'];

/**
 * Removes e-mail addresses, or rejects the line. The store applies the same rule, but a strict import must know before it stores anything.
 *
 * @param text the whole text of the record; `null` if the record contains more than the line
 */
function judged(line: DecodedLine, text: string | null): DecodedLine {
  // Most lines contain no mark, and to check that is faster than to check every field.
  if (line.type !== 'record' || (text !== null && !MARKS.some((mark) => text.includes(mark)))) return line;
  const record = publishableRecord(line.record);
  return typeof record === 'string' ? { type: 'bad', problems: [refusalMessage(record)] } : { ...line, record };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return error instanceof SyntaxError ? new SyntaxError(withoutSnippet(error.message)) : new SyntaxError('too deep');
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
