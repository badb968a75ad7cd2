import type { StoredRecord } from '../domain/record.js';
import type { RepositoryRef } from '../domain/repositories/repository-name.js';
import { MINUTE, SECOND } from '../domain/shared/instant.js';
import { aCommit, aRepositoryRecord, aSync, NOW } from './builders.js';
import { LIST_SPECS } from './list-specs.js';
import type { Random } from './random.js';

/** Stands in every text of a record that {@link withCanary} marked, and nowhere else. */
export const CANARY = 'canary';

/**
 * Records of every kind that belongs to a repository, spread over the given ones. All of them hold a commit of one and the same sha.
 *
 * @param firstSerial begins the numbers from which ids and shas are made
 */
export function randomRecords(random: Random, refs: readonly [RepositoryRef, ...RepositoryRef[]], firstSerial: number, count = 60): StoredRecord[] {
  const scoped = LIST_SPECS.filter(({ scopes }) => scopes !== 'none');
  const records: StoredRecord[] = refs.flatMap((repositoryRef) => [
    aRepositoryRecord({ repositoryRef }),
    aSync({ repositoryRef, id: `git:${repositoryRef}` }),
  ]);
  for (let serial = firstSerial; serial < firstSerial + count; serial++) {
    const spec = scoped[serial % scoped.length];
    if (spec !== undefined) records.push(spec.make(random, random.pick(refs), NOW - random.int(20) * SECOND - MINUTE, serial));
  }
  return [...records, ...refs.map((repositoryRef) => aCommit({ repositoryRef }))];
}

/** The same record with a token in every text, but for what names its kind, its repository and commits. */
export function withCanary(record: StoredRecord): StoredRecord {
  return marked(record) as StoredRecord;
}

const UNMARKED: ReadonlySet<string> = new Set(['kind', 'repositoryRef', 'sha', 'commitSha', 'feeds']);

function marked(value: unknown): unknown {
  if (typeof value === 'string') return `${value}-${CANARY}`;
  if (Array.isArray(value)) return value.map(marked);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]: [string, unknown]) => [name, UNMARKED.has(name) ? inner : marked(inner)]));
}
