import type { Commit, Instant, RecordIdentity, RepositoryRef, StoredRecord } from '@vitrine/core';
import { putInBatches } from '../../running/record-batches.js';
import type { SourceContext } from '../../running/source.js';
import type { ListKind } from './forge-dialect.js';
import { EMPTY_LIST, idsOf, type ForgeState, type ListState } from './forge-state.js';
import type { ListReading } from './read-list.js';

/** The state that has to be stored before any record: it has the ids of all records that may be stored then. What has changed is read again if the process is killed. */
export function rememberedState(state: ForgeState, readings: readonly ListReading[]): ForgeState {
  return withLists({ ...state, repository: null, isUnknown: false }, readings, (before, { list, pages, outcome }) => {
    if (outcome === 'unchanged') return before;
    return { pages: [], left: list.reading === 'stream' ? [] : idsOf({ pages: [...pages, ...before.pages], left: before.left }) };
  });
}

/** The state after all records of the readings were stored, and those that are gone were removed. */
export function completedState(state: ForgeState, readings: readonly ListReading[]): ForgeState {
  return withLists(state, readings, (_before, { pages }) => ({ pages: [...pages], left: [] }));
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

/** What a run has stored and removed. */
export interface StoredLists {
  readonly stored: number;
  readonly unchanged: number;
  readonly removed: number;
  /** By list, one line for each reason for which the store has refused records. */
  readonly refused: ReadonlyMap<ListKind, readonly string[]>;
}

export interface StoreListsOptions {
  readonly ref: RepositoryRef;
  readonly before: ForgeState;
  readonly authors: PendingAuthors;
  readonly at: Instant;
}

/** Stores the records of lists that have changed, and withdraws those that are no longer listed. */
export async function storeLists(readings: readonly ListReading[], options: StoreListsOptions, context: SourceContext): Promise<StoredLists> {
  const { ref, before, authors, at } = options;
  const refused = new Map<ListKind, readonly string[]>();
  let [stored, unchanged] = [0, 0];
  for (const { list, records } of readings.filter((reading) => reading.list.kind !== 'commit')) {
    const put = await putInBatches(records, at, context);
    [stored, unchanged] = [stored + put.stored, unchanged + put.unchanged];
    refused.set(
      list.kind,
      put.refused.map((line) => `${list.kind}s: ${line}`),
    );
  }
  const logins = await authors.put(
    readings.filter(({ list }) => list.kind === 'commit').flatMap((reading) => reading.records),
    at,
    context,
  );
  const gone = readings.flatMap((reading) => goneOf(reading, before, ref));
  const removed = gone.length === 0 ? 0 : await context.writer.remove(gone, context);
  return { stored: stored + logins, unchanged, removed, refused };
}

function goneOf({ list, pages, outcome }: ListReading, before: ForgeState, repositoryRef: RepositoryRef): readonly RecordIdentity[] {
  const { kind } = list;
  if (kind === 'commit' || outcome === 'refused') return [];
  const present = new Set(pages.flatMap(({ ids }) => ids));
  return idsOf(listIn(before, kind)).flatMap((id) => (present.has(id) ? [] : [{ kind, repositoryRef, id }]));
}

/** What is kept of a list. */
export function listIn({ lists }: ForgeState, kind: ListKind): ListState {
  return lists[kind] ?? EMPTY_LIST;
}

function withLists(state: ForgeState, readings: readonly ListReading[], next: (before: ListState, reading: ListReading) => ListState): ForgeState {
  // Of a list that was refused, nothing new is known.
  const known = readings.filter(({ outcome }) => outcome !== 'refused');
  const lists = known.map((reading) => [reading.list.kind, next(listIn(state, reading.list.kind), reading)] as const);
  return { ...state, lists: { ...state.lists, ...Object.fromEntries(lists) } };
}
