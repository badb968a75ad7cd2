import { hash } from 'node:crypto';
import { list, object, oneOf, problemsOf, type Problem } from '@vitrine/config/internal';
import { changeTypeOf, FACTS, MIN_VALIDITY_MS, nameOfRef, NO_REPOSITORY, publicId, repositoryRefOf } from '@vitrine/core';
import type {
  AnyField,
  AnyFields,
  DescribedRecords,
  Instant,
  Provenance,
  RepositoryName,
  RepositoryRef,
  ScopeRef,
  StoredRecord,
} from '@vitrine/core';
import { z } from 'zod';
import { count, flag, FORMS, instant, percent, provenance, provenanceDefaults, repository, repositoryRef, whole } from './record-fields.js';

export interface LineDefaults {
  readonly provenance: object;
}

export const DEFAULTS_KIND = 'defaults';

const schema = object('the defaults of a file', { kind: z.literal(DEFAULTS_KIND), provenance: provenanceDefaults });

/** Decodes `{"kind": "defaults", "provenance": {…}}`. */
export function readDefaults(value: object): LineDefaults | readonly Problem[] {
  const result = schema.safeParse(value);
  return result.success ? (value as LineDefaults) : problemsOf(result.error.issues, value);
}

export function withDefaults(value: object, { provenance }: LineDefaults): object {
  const own: unknown = Reflect.get(value, 'provenance');
  return own === undefined || isObject(own) ? { ...value, provenance: { ...provenance, ...own } } : value;
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export interface LineContext {
  readonly now: Instant;
  readonly defaults?: LineDefaults;
  /** The ref for a repository name: the one from the allowlist, or the lower-case name if the repository is not approved. */
  readonly refOf: (name: RepositoryName) => RepositoryRef;
}

export type LineReader = (value: unknown, context: LineContext) => StoredRecord | readonly Problem[];

export function lineReader<Schema extends z.ZodType>(
  schema: Schema,
  toRecord: (line: z.output<Schema>, context: LineContext) => ReturnType<LineReader>,
): LineReader {
  return (value, context) => {
    const result = schema.safeParse(value);
    return result.success ? toRecord(result.data, context) : problemsOf(result.error.issues, value);
  };
}

export const mayBeScoped = { repository: repository.nullable().default(null), repositoryRef: repositoryRef.exactOptional() };

/** The scope of a line, or its problems. An explicit ref is used if it belongs to the same repository. @param name `null`: the line names none */
export function scopeOfLine(name: RepositoryName | null, ref: RepositoryRef | undefined, context: LineContext): ScopeRef | readonly Problem[] {
  if (ref === undefined) return name === null ? NO_REPOSITORY : context.refOf(name);
  if (name !== null && nameOfRef(ref) === repositoryRefOf(name, null)) return ref;
  return [{ path: ['repositoryRef'], message: 'is not the repository that repository names; leave it out' }];
}

/** Copied field by field, because a spread is slower and every line has one, and so that an export does not depend on the fields that a line left out. */
function provenanceOf(line: z.output<typeof provenance>, observedAt: Instant): Provenance {
  const { source, sourceKind, sourceUrl, publishedAt, confidence, isOfficialSource } = line;
  const observed = line.observedAt ?? observedAt;
  return publishedAt === undefined
    ? { source, sourceKind, sourceUrl, observedAt: observed, confidence, isOfficialSource }
    : { source, sourceKind, sourceUrl, observedAt: observed, publishedAt, confidence, isOfficialSource };
}

type DescribedKind = Exclude<keyof DescribedRecords, 'sync'>;

type Line = Readonly<Record<string, unknown>> & { readonly provenance: z.output<typeof provenance> };

interface Given extends Pick<LineContext, 'now'> {
  readonly name: RepositoryName | null;
  readonly scope: ScopeRef;
}

const DERIVED: Readonly<Record<string, (line: Line, given: Given) => unknown>> = {
  changeType: ({ title, changedPaths }) => changeTypeOf(String(title), changedPaths as readonly string[]),
  id: ({ tagName }, { name }) => publicId(`${name?.fullName ?? ''}@${String(tagName)}`, (text) => hash('sha256', text, 'hex')),
  rawState: ({ state }) => state,
  validForMs: () => MIN_VALIDITY_MS,
  listedAt: ({ publishedAt, discoveredAt }, { now }) => publishedAt ?? discoveredAt ?? now,
};

/** The reader for lines of a kind, as the table of its fields describes them. */
export function describedLine(kind: DescribedKind): LineReader {
  const { fields } = FACTS[kind];
  const values = Object.entries(fields).map(([name, field]) => [name, valueOf(name, field)] as const);
  const schema = object(kind === 'news' ? 'a news record' : `${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind}`, {
    kind: z.literal(kind),
    ...scopeFields(kind, fields),
    ...schemasOf(fields),
  });
  return lineReader(schema as unknown as z.ZodType<Line>, (line, context) => {
    const name = (line['fullName'] ?? line['repository'] ?? null) as RepositoryName | null;
    const scope = scopeOfLine(name, line['repositoryRef'] as RepositoryRef | undefined, context);
    if (typeof scope !== 'string') return scope;
    const record: Record<string, unknown> = { kind };
    // The time of observation of a check is the time of the check.
    const given = { now: kind === 'check' ? Number(line['checkedAt']) : context.now, name, scope };
    for (const [field, valueIn] of values) {
      const value = valueIn(line, given);
      if (value !== undefined) record[field] = value;
    }
    // The compiler compares the table with the type of the record.
    return record as unknown as StoredRecord;
  });
}

function scopeFields(kind: DescribedKind, { repositoryRef: ref }: AnyFields): object {
  if (ref?.type !== 'repository') return {};
  if (kind === 'repository') return { fullName: repository, repositoryRef: repositoryRef.exactOptional() };
  return { repository: ref.always ? repository : repository.nullable().default(null), repositoryRef: repositoryRef.exactOptional() };
}

function comesFromScope(field: AnyField): boolean {
  return field.type === 'repository' || (field.type === 'text' && field.form === 'repositoryName');
}

function valueOf(name: string, field: AnyField): (line: Line, given: Given) => unknown {
  if (field.type === 'repository') return (_line, { scope }) => scope;
  if (comesFromScope(field)) return (_line, given) => given.name?.[name as keyof RepositoryName];
  if (field.type === 'object' && field.named === 'Provenance') return (line, { now }) => provenanceOf(line.provenance, now);
  if (field.leftOut === 'now') return (line, { now }) => line[name] ?? now;
  const derive = field.leftOut === 'derived' ? DERIVED[name] : undefined;
  if (derive === undefined) return (line) => line[name];
  const isMissing = (value: unknown): boolean => value === undefined || (value === null && field.nullable !== true);
  return (line, given) => (isMissing(line[name]) ? derive(line, given) : line[name]);
}

function schemaOf(field: AnyField): z.ZodType {
  const schema = mayBeNull(field) ? valueSchema(field).nullable() : valueSchema(field);
  if (field.optional === true || field.leftOut === 'derived') return schema.exactOptional();
  if (mayBeNull(field)) return schema.default(null);
  if (field.leftOut === 'blank') return schema.default('');
  return field.type === 'list' ? schema.default([]) : schema;
}

/** A line may also write `null` for a value that it may leave out. */
function mayBeNull({ nullable, leftOut }: AnyField): boolean {
  return nullable === true || leftOut === 'now' || leftOut === 'derived';
}

function valueSchema(field: AnyField): z.ZodType {
  switch (field.type) {
    case 'text':
      return FORMS[field.form];
    case 'choice':
      return oneOf(field.values);
    case 'whole':
      return whole(field.least, field.most);
    case 'list':
      return list(field.what, schemaOf(field.item), field.most);
    case 'object':
      return field.named === 'Provenance' ? provenance : object(field.what, schemasOf(field.fields));
    default:
      return PLAIN[field.type];
  }
}

function schemasOf(fields: AnyFields): Readonly<Record<string, z.ZodType>> {
  return Object.fromEntries(Object.entries(fields).flatMap(([name, field]) => (comesFromScope(field) ? [] : [[name, schemaOf(field)]])));
}

const PLAIN = { seconds: count, percent, time: instant, flag, repository: repositoryRef } as const;
