import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type CallContext,
  type Check,
  type CheckedDay,
  type CollectionReader,
  DAY,
  type Instant,
  LATEST_INSTANT,
  LISTED_KINDS,
  type ListedKind,
  type PlainRecord,
  type ReadContext,
  type RecordOf,
  type RepositoryRef,
  type ScopedKind,
  type Service,
  type ServiceDay,
  statedBy,
  type StatedRecord,
  type StoredRecord,
  type Sync,
} from '@vitrine/core';
import type { SqlRow } from '../database/sqlite-database.js';
import { isText, listOf, maybe, ROW_COLUMNS, rowOf, storedJson } from '../records/decoding.js';
import { OF_SOURCE_SQL, Vouchers } from '../records/vouchers.js';
import { checkRecords } from '../status/sqlite-check-reader.js';
import { StatusStore } from '../status/status-store.js';
import { byKey, recordTables } from './record-readers.js';
import { rowParts, type SqliteReading, textAt } from './sqlite-reading.js';

/** Shorter parts take less than a millisecond, and most are the last. */
const LONG_PART = 100;
const PART_SIZE = 500;
/** Images are large. */
const IMAGES_SIZE = 16;
const BRANCHES_SIZE = 5_000;
/** Releases have long notes. */
const OF_KIND_SIZE = 100;
/** Repositories first and checks last: the order that an import needs. */
export const KINDS_IN_ORDER: readonly PlainRecord['kind'][] = ['repository', 'service', ...LISTED_KINDS, 'sync'];
/** Before the first record of a list. */
const START = LATEST_INSTANT + 1;
/** The branch is JSON: as text, it would end at its first U+0000. */
const BRANCH_COLUMNS = `r.sha, case when json_valid(r.json) then json_array(r.json -> '$.branch') end`;
const isBranch = listOf<string | null>(maybe(isText));
/** Records of one repository, along the list of their kind. */
const listPartSql = (columns: string): string => `select ${columns}, l.time, hex(l.key)
  from listing l cross join record r on r.id = l.record
  where l.list = (select id from list where name = ?6) and l.scope = ?2 and l.time <= ?3 and (l.time < ?3 or l.key > cast(unhex(?4) as text))
    and (?1 is null or ${OF_SOURCE_SQL})
  order by l.time desc, l.key limit ?5`;
const BRANCHES_SQL = listPartSql(BRANCH_COLUMNS);
const OF_KIND_SQL = listPartSql('r.json, r.key, r.time');
/** The key as hexadecimal digits, because one that is not UTF-8 has no other name. */
const PART_SQL = `select ${ROW_COLUMNS}, id, source, hex(key) from record where kind = ? and key > cast(unhex(?) as text) order by kind, key limit ?`;

/** What a collector reads: all repositories, approved or not. Large answers come in parts, each of which is read when it is asked for. */
export class SqliteCollectionReader implements CollectionReader {
  readonly #checks: StatusStore;
  readonly #vouchers: Vouchers;

  /** @param retentionMs how long raw checks are kept */
  constructor(
    private readonly reading: SqliteReading,
    private readonly retentionMs: number,
  ) {
    this.#checks = new StatusStore(reading.database, reading.monitor);
    this.#vouchers = new Vouchers(reading.database);
  }

  async commitBranches(ref: RepositoryRef, context: CallContext): Promise<ReadonlyMap<string, string | null>> {
    const branches = new Map<string, string | null>();
    for await (const [sha, json] of this.#listed(BRANCHES_SQL, BRANCHES_SIZE, 'commit', ref, context)) {
      const branch = storedJson(json, isBranch);
      if (branch !== null) branches.set(String(sha), branch[0] ?? null);
    }
    return branches;
  }

  async *ofRepository<Kind extends ScopedKind>(kind: Kind, ref: RepositoryRef, context: CallContext): AsyncIterable<RecordOf<Kind>> {
    for await (const row of this.#listed(OF_KIND_SQL, OF_KIND_SIZE, kind, ref, context)) {
      const record = this.reading.decoder.record(kind, rowOf(row));
      if (record !== null) yield record;
    }
  }

  sync(id: string, context: ReadContext): Promise<Sync | null> {
    return this.reading.answer(context, () => byKey(this.reading, 'sync', id));
  }

  services(context: ReadContext): Promise<readonly Service[]> {
    return recordTables(this.reading).services(context);
  }

  checkedDays(context: ReadContext): Promise<ReadonlyMap<string, readonly CheckedDay[]>> {
    return this.reading.answer(context, () => this.#checks.checkedDays());
  }

  checksOf({ serviceKey, day }: ServiceDay, context: ReadContext): Promise<readonly Check[]> {
    return this.reading.answer(context, () => this.#checks.checksBetween(serviceKey, day, day + DAY - 1));
  }

  async *records(context: ReadContext): AsyncIterable<StoredRecord> {
    const keptFrom = this.reading.clock.now() - this.retentionMs;
    for await (const { record } of this.#each(context, storedRecords(this.reading, this.#checks, keptFrom))) yield record;
  }

  statements(context: ReadContext): AsyncIterable<StatedRecord> {
    const keptFrom = this.reading.clock.now() - this.retentionMs;
    return this.#each(context, storedRecords(this.reading, this.#checks, keptFrom, this.#vouchers));
  }

  #listed(sql: string, size: number, kind: ListedKind, ref: RepositoryRef, context: CallContext): AsyncIterable<SqlRow> {
    const { database, scopes } = this.reading;
    const { source = null } = context;
    // No record has the number of a source that has never vouched.
    const of = [source === null ? null : (this.#vouchers.numberOf(source) ?? -1), scopes.find(ref) ?? 0] as const;
    const parts = rowParts(size, (last) => database.rows(sql, ...of, Number(last?.at(-2) ?? START), textAt(last, -1), size, kind));
    return this.#each(context, parts);
  }

  /** Other work can run between two long parts. Each part shows the store at the time at which it is read. */
  async *#each<Item>(context: ReadContext, parts: Iterator<readonly Item[]>): AsyncIterable<Item> {
    for (;;) {
      const part = await this.reading.answer(context, () => parts.next());
      if (part.done === true) return;
      yield* part.value;
      if (part.value.length >= LONG_PART) await nextTurn();
    }
  }
}

/**
 * Everything that is stored, in parts.
 *
 * @param keptFrom days of checks that start earlier are older than the retention
 * @param vouchers if they are given, each record is returned as each of its sources says it; otherwise as readers show it, without a source
 */
export function* storedRecords(
  { database, decoder }: SqliteReading,
  checks: StatusStore,
  keptFrom: Instant,
  vouchers: Vouchers | null = null,
): Generator<readonly StatedRecord[]> {
  for (const kind of KINDS_IN_ORDER) {
    const size = kind === 'image' ? IMAGES_SIZE : PART_SIZE;
    for (const rows of rowParts(size, (last) => database.rows(PART_SQL, kind, textAt(last, 5), size)))
      yield rows.flatMap((row) => {
        const record = decoder.record(kind, rowOf(row));
        if (record === null) return [];
        return vouchers === null ? [{ record, source: null }] : statedBy(vouchers.of(record, Number(row[3]), row[4]));
      });
  }
  for (const records of checkRecords(database, checks, keptFrom)) yield records.map((record) => ({ record, source: null }));
}
