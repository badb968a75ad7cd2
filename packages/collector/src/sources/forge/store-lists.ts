import { grouped, type Commit, type Instant, type RecordIdentity, type RepositoryRef, type StoredRecord } from '@vitrine/core';
import { putInBatches } from '../../running/record-batches.js';
import type { SourceContext } from '../../running/source.js';
import type { ForgeOrigin } from './forge-dialect.js';
import { forgeRepository } from './forge-records.js';
import type { FoundRepository } from './hiding.js';
import { idsOf, type ListState } from './forge-state.js';
import type { ListReading } from './read-list.js';

/** What is stored of a list before its records: the ids of all that may be stored then. What has changed is read again if the process is killed. */
export function rememberedList({ list, before, after, outcome }: ListReading): ListState {
  if (outcome === 'unchanged' || outcome === 'refused') return before;
  return { pages: [], left: list.kind === 'commit' ? [] : [...new Set([...idsOf(after), ...idsOf(before)])] };
}

const MOST_PENDING = 2_000;

/**
 * The logins of commits that no other source has stored yet: the store refuses them until git has collected the commits. They are kept in memory, and offered again with each run.
 */
export class PendingAuthors {
  #pending = new Map<string, Commit>();

  get size(): number {
    return this.#pending.size;
  }

  /** Stores the logins of known commits. Resolves with the number of records that have changed. */
  async put(records: readonly StoredRecord[], at: Instant, { writer, signal }: SourceContext): Promise<number> {
    for (const record of records) if (record.kind === 'commit') this.#pending.set(record.sha, record);
    const offered = [...this.#pending.values()].slice(-MOST_PENDING);
    if (offered.length === 0) return 0;
    const { stored, refused } = await writer.put(offered, { signal, filledAt: at });
    const unknown = refused.flatMap(({ index, reason }) => (reason === 'unknown-commit' ? (offered[index] ?? []) : []));
    this.#pending = new Map(unknown.map((commit) => [commit.sha, commit]));
    return stored;
  }
}

interface StoreListsOptions {
  readonly origin: ForgeOrigin;
  readonly found: FoundRepository;
  readonly authors: PendingAuthors;
  readonly at: Instant;
}

/** Stores the records of lists that have changed, and withdraws those that are no longer listed. `refused`: the records that the store has refused, by kind. */
export async function storeLists(lists: readonly ListReading[], { origin, found, authors, at }: StoreListsOptions, context: SourceContext) {
  const listed = lists.flatMap(({ records }) => records);
  const repository = found.changed === null ? [] : [forgeRepository(origin, found.changed.repository, at)];
  const records = [...repository, ...listed.filter(({ kind }) => kind !== 'commit')];
  const { stored, unchanged, refusedRecords } = await putInBatches(records, at, context);
  const logins = await authors.put(listed, at, context);
  const gone = lists.flatMap((reading) => goneOf(reading, origin.ref));
  const removed = await context.writer.remove(gone, context);
  const refused = grouped(refusedRecords, ({ index }) => records[index]?.kind);
  return { stored: stored + logins, unchanged, removed, refused };
}

function goneOf({ list: { kind }, before, after }: ListReading, repositoryRef: RepositoryRef): readonly RecordIdentity[] {
  if (kind === 'commit') return [];
  const present = new Set(idsOf(after));
  return idsOf(before).flatMap((id) => (present.has(id) ? [] : [{ kind, repositoryRef, id }]));
}
