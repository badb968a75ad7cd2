import {
  LATEST_INSTANT,
  LISTED_KINDS,
  statedBy,
  type Finding,
  type Instant,
  type ListedKind,
  type PlainRecord,
  type RecordOf,
  type Release,
  type RepositoryRef,
  type StatedRecord,
  type TimePosition,
} from '@vitrine/core';
import { fitsOf, ROW_COLUMNS, rowOf, storedJson } from '../records/decoding.js';
import { OF_SOURCE_SQL, sourceNumber, StoredVouchers } from '../records/vouchers.js';
import type { SqliteCheckReader } from '../status/sqlite-check-reader.js';
import type { SqliteReading } from './sqlite-reading.js';

/** Some of the records of a store. */
export interface RecordPart {
  readonly records: readonly StatedRecord[];
  /** Where the next part starts; `null` after the last part. */
  readonly next: string | null;
}

/** Which part is wanted. */
export interface PartRequest {
  /** What the part before returned as `next`; `null` for the first part. */
  readonly after: string | null;
  /** Days that start earlier are older than the retention. */
  readonly keptFrom: Instant;
  /** Whether each record is wanted as each of its sources says it; otherwise as readers show it, without a source. */
  readonly asStated: boolean;
}

/** Records of a repository; of a source, if one is given: those for which it or no source vouches. */
export interface OfRepository {
  readonly ref: RepositoryRef;
  readonly source: string | null;
}

/** Some releases of a repository. */
export interface ReleasePart {
  readonly releases: readonly Release[];
  /** Where the next part starts; `null` after the last part. */
  readonly next: TimePosition | null;
}

/** The branches of some commits. */
export interface BranchPart {
  readonly branches: readonly (readonly [sha: string, branch: string | null])[];
  /** Where the next part starts; `null` after the last part. */
  readonly next: TimePosition | null;
}

const PART_SIZE = 500;
const BRANCHES_SIZE = 5_000;
/** Releases have long notes. */
const RELEASES_SIZE = 100;
/** Repositories first and checks last: the order that an import needs. */
export const KINDS_IN_ORDER: readonly PlainRecord['kind'][] = ['repository', 'service', ...LISTED_KINDS, 'sync'];
const CHECKS = 'checks';
/** Before the first record of a list. Ids are hexadecimal digits, because a key that is not UTF-8 has no other name. */
const START: TimePosition = { time: LATEST_INSTANT + 1, id: '' };
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
/** The key as hexadecimal digits, for the same reason. */
const PART_SQL = `select ${ROW_COLUMNS}, id, source, hex(key) from record where kind = ? and key > cast(unhex(?) as text) order by kind, key limit ?`;

/** What a collector reads: all repositories, approved or not. */
export class StoredRecords {
  readonly #vouchers: StoredVouchers;

  constructor(
    private readonly reading: SqliteReading,
    private readonly checks: SqliteCheckReader,
  ) {
    this.#vouchers = new StoredVouchers(reading.database);
  }

  /** @param after the `next` of the part before; `null` for the first part */
  commitBranches({ ref, source }: OfRepository, after: TimePosition | null): BranchPart {
    const { database, scopes } = this.reading;
    const { time, id } = after ?? START;
    const rows = database.rows(BRANCHES_SQL, this.#numberOf(source), scopes.find(ref) ?? 0, time, id, BRANCHES_SIZE);
    const last = rows.at(-1);
    return {
      branches: rows.flatMap(([sha, json]) => {
        const branch = storedJson(json, isBranch);
        return branch === null ? [] : [[String(sha), branch[0] ?? null]];
      }),
      next: rows.length < BRANCHES_SIZE || last === undefined ? null : { time: Number(last[2]), id: String(last[3]) },
    };
  }

  releaseIds({ ref, source }: OfRepository): ReadonlySet<string> {
    return new Set(this.#ofKind('release', { ref, source }).map(({ id }) => id));
  }

  findings(of: OfRepository): readonly Finding[] {
    return this.#ofKind('finding', of);
  }

  /** @param after the `next` of the part before; `null` for the first part */
  releasesOf(ref: RepositoryRef, after: TimePosition | null): ReleasePart {
    const { database, decoder, scopes } = this.reading;
    const { time, id } = after ?? START;
    const rows = database.rows(RELEASE_PART_SQL, scopes.find(ref) ?? 0, time, id, RELEASES_SIZE);
    const last = rows.at(-1);
    return {
      releases: rows.flatMap((row) => decoder.record('release', rowOf(row)) ?? []),
      next: rows.length < RELEASES_SIZE || last === undefined ? null : { time: Number(last[3]), id: String(last[4]) },
    };
  }

  after({ after, keptFrom, asStated }: PartRequest): RecordPart {
    const [kind, key] = after === null ? (['repository', ''] as const) : splitAt(after);
    if (kind === CHECKS) {
      const { records, next } = this.checks.recordsAfter(key === '' ? null : key, keptFrom);
      return { records: records.map((record) => ({ record, source: null })), next: next === null ? null : `${CHECKS} ${next}` };
    }
    return this.#plainAfter(kind as PlainRecord['kind'], key, asStated);
  }

  #ofKind<Kind extends ListedKind>(kind: Kind, { ref, source }: OfRepository): readonly RecordOf<Kind>[] {
    const { database, decoder, scopes } = this.reading;
    const rows = database.rows(OF_LIST_SQL, this.#numberOf(source), scopes.find(ref) ?? 0, kind);
    return rows.flatMap((row) => decoder.record(kind, rowOf(row)) ?? []);
  }

  #plainAfter(kind: PlainRecord['kind'], key: string, asStated: boolean): RecordPart {
    const { database, decoder } = this.reading;
    const rows = database.rows(PART_SQL, kind, key, PART_SIZE);
    const records = rows.flatMap((row) => {
      const record = decoder.record(kind, rowOf(row));
      if (record === null) return [];
      return asStated ? statedBy(this.#vouchers.of(record, Number(row[3]), row[4])) : [{ record, source: null }];
    });
    const last = rows.at(-1);
    if (rows.length === PART_SIZE && last !== undefined) return { records, next: `${kind} ${String(last[5])}` };
    return { records, next: `${KINDS_IN_ORDER[KINDS_IN_ORDER.indexOf(kind) + 1] ?? CHECKS} ` };
  }

  /** `null` for no source. No record has the number of a source that has never vouched. */
  #numberOf(source: string | null): number | null {
    return source === null ? null : (sourceNumber(this.reading.database, source) ?? -1);
  }
}

function splitAt(text: string): readonly [string, string] {
  const at = text.indexOf(' ');
  return [text.slice(0, at), text.slice(at + 1)];
}
