import { object, problemsOf, type Problem } from '@vitrine/config/internal';
import {
  nameOfRef,
  NO_REPOSITORY,
  repositoryRefOf,
  type Instant,
  type Provenance,
  type RepositoryName,
  type RepositoryRef,
  type ScopeRef,
  type StoredRecord,
} from '@vitrine/core';
import { z } from 'zod';
import { provenance, provenanceDefaults, repository, repositoryRef } from './record-fields.js';

export interface LineDefaults {
  readonly provenance: object;
}

export const DEFAULTS_KIND = 'defaults';

const schema = object('the defaults of a file', { kind: z.literal(DEFAULTS_KIND), provenance: provenanceDefaults });

/** Decodes `{"kind": "defaults", "provenance": {…}}`. */
export function readDefaults(value: object): LineDefaults | readonly Problem[] {
  const result = schema.safeParse(value);
  if (!result.success) return problemsOf(result.error.issues, value);
  const provenance: unknown = Reflect.get(value, 'provenance');
  return { provenance: isObject(provenance) ? provenance : {} };
}

export function withDefaults(value: object, { provenance }: LineDefaults): object {
  const own: unknown = Reflect.get(value, 'provenance');
  if (own === undefined) return { ...value, provenance };
  return isObject(own) ? { ...value, provenance: { ...provenance, ...own } } : value;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export interface LineContext {
  /** The time of the import: the default for times that a line leaves out. */
  readonly now: Instant;
  /** The defaults from the first line of the file. */
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

/** The repository fields of kinds that may belong to no repository. */
export const mayBeScoped = { repository: repository.nullable().default(null), repositoryRef: repositoryRef.exactOptional() };

/** The scope of a line, or its problems. An explicit ref is used if it belongs to the same repository. @param name `null`: the line names none */
export function scopeOfLine(name: RepositoryName | null, ref: RepositoryRef | undefined, context: LineContext): ScopeRef | readonly Problem[] {
  if (ref === undefined) return name === null ? NO_REPOSITORY : context.refOf(name);
  if (name !== null && nameOfRef(ref) === repositoryRefOf(name, null)) return ref;
  return [{ path: ['repositoryRef'], message: 'is not the repository that repository names; leave it out' }];
}

/** Copied field by field, because a spread is slower and every line has one, and so that an export does not depend on the fields that a line left out. */
export function provenanceOf(line: z.output<typeof provenance>, observedAt: Instant): Provenance {
  const { source, sourceKind, sourceUrl, publishedAt, confidence, isOfficialSource } = line;
  const observed = line.observedAt ?? observedAt;
  return publishedAt === undefined
    ? { source, sourceKind, sourceUrl, observedAt: observed, confidence, isOfficialSource }
    : { source, sourceKind, sourceUrl, observedAt: observed, publishedAt, confidence, isOfficialSource };
}
