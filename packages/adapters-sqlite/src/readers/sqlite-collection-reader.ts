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
import { fitsOf, ROW_COLUMNS, rowOf, storedJson } from '../records/decoding.js';
import { OF_SOURCE_SQL, sourceNumber, StoredVouchers } from '../records/vouchers.js';
import { SqliteCheckReader } from '../status/sqlite-check-reader.js';
import { byKey, serviceReader } from './record-readers.js';
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
    const branches = new Map<string, string | null>();
    for await (const [sha, branch] of this.#each(context, this.#records.commitBranches({ ref, source: context.source ?? null })))
      branches.set(sha, branch);
    return branches;
  }

  releaseIds(ref: RepositoryRef, context: CallContext): Promise<ReadonlySet<string>> {
    const of = { ref, source: context.source ?? null };
    return this.reading.answer(context, () => new Set(this.#records.ofKind('release', of).map(({ id }) => id)));
  }

  releasesOf(ref: RepositoryRef, context: ReadContext): AsyncIterable<Release> {
    return this.#each(context, this.#records.releasesOf(ref));
  }

  findings(ref: RepositoryRef, context: CallContext): Promise<readonly Finding[]> {
    return this.reading.answer(context, () => this.#records.ofKind('finding', { ref, source: context.source ?? null }));
  }

  sync(id: string, context: ReadContext): Promise<Sync | null> {
    return this.reading.answer(context, () => byKey(this.reading, 'sync', id));
  }

  services(context: ReadContext): Promise<readonly Service[]> {
    return serviceReader(this.reading).list(context);
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
const RELEASES_SIZE = 100;
/** Repositories first and checks last: the order that an import needs. */
export const KINDS_IN_ORDER: readonly PlainRecord['kind'][] = ['repository', 'service', ...LISTED_KINDS, 'sync'];
/** Before the first record of a list. */
const START = LATEST_INSTANT + 1;
/** Records of one repository, along the list of their kind. The branch is JSON: as text, it would end at its first U+0000. */
const BRANCHES_SQL = `select r.sha, case when json_valid(r.json) then json_array(r.json -> '$.branch') end, l.time, hex(l.key)
  from listing l cross join record r on r.id = l.record
  where l.list = (select id from list where name = 'commit') and l.scope = ?2 and l.time <= ?3 and (l.time < ?3 or l.key > cast(unhex(?4) as text))
    and (?1 is null or ${OF_SOURCE_SQL})
  order by l.time desc, l.key limit ?5`;
/** The second column of {@link BRANCHES_SQL}. */
const isBranch = fitsOf<readonly (string | null)[]>(['string?']);
const OF_LIST_SQL = `select r.json, r.key, r.time from listing l cross join record r on r.id = l.record
  where l.list = (select id from list where name = ?3) and l.scope = ?2 and (?1 is null or ${OF_SOURCE_SQL})`;
/** The same, in parts along the list. */
const RELEASE_PART_SQL = `select r.json, r.key, r.time, l.time, hex(l.key)
  from listing l cross join record r on r.id = l.record
  where l.list = (select id from list where name = 'release') and l.scope = ?1 and l.time <= ?2 and (l.time < ?2 or l.key > cast(unhex(?3) as text))
  order by l.time desc, l.key limit ?4`;
/** The key as hexadecimal digits, because one that is not UTF-8 has no other name. */
const PART_SQL = `select ${ROW_COLUMNS}, id, source, hex(key) from record where kind = ? and key > cast(unhex(?) as text) order by kind, key limit ?`;

/** What a collector reads: all repositories, approved or not. Large answers come in parts, each of which is read when it is asked for. */
export class StoredRecords {
  readonly #vouchers: StoredVouchers;

  constructor(
    private readonly reading: SqliteReading,
    private readonly checks: SqliteCheckReader,
  ) {
    this.#vouchers = new StoredVouchers(reading.database);
  }

  *commitBranches({ ref, source }: OfRepository): Generator<readonly (readonly [sha: string, branch: string | null])[]> {
    const { database, scopes } = this.reading;
    const of = [this.#numberOf(source), scopes.find(ref) ?? 0] as const;
    const parts = rowParts(BRANCHES_SIZE, (last) => database.rows(BRANCHES_SQL, ...of, Number(last?.[2] ?? START), textAt(last, 3), BRANCHES_SIZE));
    for (const rows of parts)
      yield rows.flatMap(([sha, json]) => {
        const branch = storedJson(json, isBranch);
        return branch === null ? [] : [[String(sha), branch[0] ?? null] as const];
      });
  }

  /** All records of a repository and kind. */
  ofKind<Kind extends ListedKind>(kind: Kind, { ref, source }: OfRepository): readonly RecordOf<Kind>[] {
    const { database, decoder, scopes } = this.reading;
    const rows = database.rows(OF_LIST_SQL, this.#numberOf(source), scopes.find(ref) ?? 0, kind);
    return rows.flatMap((row) => decoder.record(kind, rowOf(row)) ?? []);
  }

  *releasesOf(ref: RepositoryRef): Generator<readonly Release[]> {
    const { database, decoder, scopes } = this.reading;
    const scope = scopes.find(ref) ?? 0;
    const parts = rowParts(RELEASES_SIZE, (last) =>
      database.rows(RELEASE_PART_SQL, scope, Number(last?.[3] ?? START), textAt(last, 4), RELEASES_SIZE),
    );
    for (const rows of parts) yield rows.flatMap((row) => decoder.record('release', rowOf(row)) ?? []);
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

  /** `null` for no source. No record has the number of a source that has never vouched. */
  #numberOf(source: string | null): number | null {
    return source === null ? null : (sourceNumber(this.reading.database, source) ?? -1);
  }
}
