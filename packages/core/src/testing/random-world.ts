import type { StoredRecord } from '../kinds/identity.js';
import { MINUTE, SECOND } from '../kinds/instant.js';
import type { RepositoryRef } from '../kinds/repository-name.js';
import { NOW, aCommit, aRepositoryRecord, aSync } from './builders.js';
import { LIST_SPECS } from './list-specs.js';
import type { Random } from './random.js';

/** Appears in every text of a record that {@link withCanary} marked, and nowhere else. */
export const CANARY = 'canary';

/**
 * Records of every kind that can belong to a repository, distributed over the given repositories. Each repository has a commit with the same sha.
 *
 * @param firstSerial the first of the numbers from which ids and shas are made
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

/** The record with {@link CANARY} in every text, except the texts that name its kind, its repository and commits. */
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
