import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type CallContext,
  type Check,
  type CheckedDay,
  type CollectionReader,
  type Finding,
  type Instant,
  LATEST_INSTANT,
  LISTED_KINDS,
  type ListedKind,
  type PlainRecord,
  type ReadContext,
  type RecordOf,
  type Release,
  type RepositoryRef,
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
import { SqliteCheckReader } from '../status/sqlite-check-reader.js';
import { byKey, recordTables } from './record-readers.js';
import { rowParts, type SqliteReading, textAt } from './sqlite-reading.js';

/** Shorter parts take less than a millisecond, and most are the last. */
const LONG_PART = 100;

export class SqliteCollectionReader implements CollectionReader {
  readonly #checks: SqliteCheckReader;
  readonly #records: StoredRecords;

  /** @param retentionMs how long raw checks are kept */
  constructor(
    private readonly reading: SqliteReading,
    private readonly retentionMs: number,
  ) {
    this.#checks = new SqliteCheckReader(reading);
    this.#records = new StoredRecords(reading, this.#checks);
  }

  async commitBranches(ref: RepositoryRef, context: CallContext): Promise<ReadonlyMap<string, string | null>> {
    return new Map(await this.#list(context, this.#records.commitBranches({ ref, source: context.source ?? null })));
  }

  async releaseIds(ref: RepositoryRef, context: CallContext): Promise<ReadonlySet<string>> {
    const releases = await this.#list(context, this.#records.ofKind('release', { ref, source: context.source ?? null }));
    return new Set(releases.map(({ id }) => id));
  }

  releasesOf(ref: RepositoryRef, context: ReadContext): AsyncIterable<Release> {
    return this.#each(context, this.#records.ofKind('release', { ref, source: null }));
  }

  findings(ref: RepositoryRef, context: CallContext): Promise<readonly Finding[]> {
    return this.#list(context, this.#records.ofKind('finding', { ref, source: context.source ?? null }));
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

  checksOf(day: ServiceDay, context: ReadContext): Promise<readonly Check[]> {
    return this.reading.answer(context, () => this.#checks.checksOf(day));
  }

  async *records(context: ReadContext): AsyncIterable<StoredRecord> {
    for await (const { record } of this.#all(context, false)) yield record;
  }

  statements(context: ReadContext): AsyncIterable<StatedRecord> {
    return this.#all(context, true);
  }

  #all(context: ReadContext, asStated: boolean): AsyncIterable<StatedRecord> {
    return this.#each(context, this.#records.all(this.reading.clock.now() - this.retentionMs, asStated));
  }

  async #list<Item>(context: ReadContext, parts: Iterator<readonly Item[]>): Promise<readonly Item[]> {
    const items: Item[] = [];
    for await (const item of this.#each(context, parts)) items.push(item);
    return items;
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

/** Records of a repository; of a source, if one is given: those for which it or no source vouches. */
export interface OfRepository {
  readonly ref: RepositoryRef;
  readonly source: string | null;
}

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
export class StoredRecords {
  readonly #vouchers: Vouchers;

  constructor(
    private readonly reading: SqliteReading,
    private readonly checks: SqliteCheckReader,
  ) {
    this.#vouchers = new Vouchers(reading.database);
  }

  *commitBranches(of: OfRepository): Generator<readonly (readonly [sha: string, branch: string | null])[]> {
    for (const rows of this.#listParts(BRANCHES_SQL, 'commit', of, BRANCHES_SIZE))
      yield rows.flatMap(([sha, json]) => {
        const branch = storedJson(json, isBranch);
        return branch === null ? [] : [[String(sha), branch[0] ?? null] as const];
      });
  }

  /** All records of a repository and kind. */
  *ofKind<Kind extends ListedKind>(kind: Kind, of: OfRepository): Generator<readonly RecordOf<Kind>[]> {
    for (const rows of this.#listParts(OF_KIND_SQL, kind, of, OF_KIND_SIZE))
      yield rows.flatMap((row) => this.reading.decoder.record(kind, rowOf(row)) ?? []);
  }

  /**
   * @param keptFrom days that start earlier are older than the retention
   * @param asStated whether each record is wanted as each of its sources says it; otherwise as readers show it, without a source
   */
  *all(keptFrom: Instant, asStated: boolean): Generator<readonly StatedRecord[]> {
    const { database, decoder } = this.reading;
    for (const kind of KINDS_IN_ORDER) {
      const size = kind === 'image' ? IMAGES_SIZE : PART_SIZE;
      for (const rows of rowParts(size, (last) => database.rows(PART_SQL, kind, textAt(last, 5), size)))
        yield rows.flatMap((row) => {
          const record = decoder.record(kind, rowOf(row));
          if (record === null) return [];
          return asStated ? statedBy(this.#vouchers.of(record, Number(row[3]), row[4])) : [{ record, source: null }];
        });
    }
    for (const records of this.checks.records(keptFrom)) yield records.map((record) => ({ record, source: null }));
  }

  #listParts(sql: string, kind: ListedKind, { ref, source }: OfRepository, size: number): Generator<readonly SqlRow[]> {
    const { database, scopes } = this.reading;
    const of = [this.#numberOf(source), scopes.find(ref) ?? 0] as const;
    return rowParts(size, (last) => database.rows(sql, ...of, Number(last?.at(-2) ?? START), textAt(last, -1), size, kind));
  }

  /** `null` for no source. No record has the number of a source that has never vouched. */
  #numberOf(source: string | null): number | null {
    return source === null ? null : (this.#vouchers.numberOf(source) ?? -1);
  }
}
