import { problemsOf, type Problem } from '@vitrine/config/internal';
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
import type { z } from 'zod';
import type { LineDefaults } from './line-defaults.js';
import { provenance, repository, repositoryRef } from './record-fields.js';

/** What a line is read against. */
export interface LineContext {
  /** The time of the import: the default of times that a line may leave out. */
  readonly now: Instant;
  /** Those of the file's first line. */
  readonly defaults?: LineDefaults;
  /** The ref of a repository called by name: the allowlist's, or the plain lower-case name of one that is not approved. */
  readonly refOf: (name: RepositoryName) => RepositoryRef;
}

/** Reads the lines of one kind. */
export interface LineReader {
  read(value: unknown, context: LineContext): StoredRecord | readonly Problem[];
}

/** The reader of a schema and of what turns a valid line into a record. */
export function lineReader<Schema extends z.ZodType>(
  schema: Schema,
  toRecord: (line: z.output<Schema>, context: LineContext) => StoredRecord | readonly Problem[],
): LineReader {
  return {
    read(value, context) {
      const result = schema.safeParse(value);
      return result.success ? toRecord(result.data, context) : problemsOf(result.error.issues, value);
    },
  };
}

/** Fields of kinds that always belong to a repository. */
export const scoped = { repository, repositoryRef: repositoryRef.exactOptional() };
/** Fields of kinds that may belong to none. */
export const mayBeScoped = { repository: repository.nullable().default(null), repositoryRef: repositoryRef.exactOptional() };

/** The scope that a line names, or what is wrong with it. An explicit ref is taken as it is, if it means the same repository. */
export function scopeOfLine(name: RepositoryName, ref: RepositoryRef | undefined, context: LineContext): RepositoryRef | readonly Problem[] {
  if (ref === undefined) return context.refOf(name);
  return nameOfRef(ref) === repositoryRefOf(name, null) ? ref : disagreement();
}

/** The same where `repository` may be `null`. */
export function optionalScopeOfLine(
  name: RepositoryName | null,
  ref: RepositoryRef | undefined,
  context: LineContext,
): ScopeRef | readonly Problem[] {
  if (name !== null) return scopeOfLine(name, ref, context);
  return ref === undefined ? NO_REPOSITORY : disagreement();
}

/** The record of a scope, unless the scope is a problem. */
export function inScope<Scope extends string, Made>(scope: Scope | readonly Problem[], make: (scope: Scope) => Made): Made | readonly Problem[] {
  return typeof scope === 'string' ? make(scope) : scope;
}

/** Field by field, because every line has one and a spread costs more, and so that an export does not depend on what a line left out. */
export function provenanceOf(line: z.output<typeof provenance>, observedAt: Instant): Provenance {
  const { source, sourceKind, sourceUrl, publishedAt, confidence, isOfficialSource } = line;
  const observed = line.observedAt ?? observedAt;
  return publishedAt === undefined
    ? { source, sourceKind, sourceUrl, observedAt: observed, confidence, isOfficialSource }
    : { source, sourceKind, sourceUrl, observedAt: observed, publishedAt, confidence, isOfficialSource };
}

function disagreement(): readonly Problem[] {
  return [{ path: ['repositoryRef'], message: 'is not the repository that repository names; leave it out' }];
}
