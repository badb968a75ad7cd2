import {
  LATEST_INSTANT,
  LISTED_KINDS,
  type Instant,
  type PlainRecord,
  type RepositoryRef,
  type StoredRecord,
  type TimePosition,
} from '@vitrine/core';
import { ROW_COLUMNS, rowOf, textOf } from '../records/record-row.js';
import type { SqliteCheckReader } from '../status/sqlite-check-reader.js';
import type { SqliteReading } from './sqlite-reading.js';

/** Some of the records of a store. */
export interface RecordPart {
  readonly records: readonly StoredRecord[];
  /** Where the next part starts; `null` after the last part. */
  readonly next: string | null;
}

/** The branches of some commits. */
export interface BranchPart {
  readonly branches: readonly (readonly [sha: string, branch: string | null])[];
  /** Where the next part starts; `null` after the last part. */
  readonly next: TimePosition | null;
}

const PART_SIZE = 500;
const BRANCHES_SIZE = 5_000;
/** Repositories first and checks last: the order that an import needs. */
const KINDS_IN_ORDER: readonly PlainRecord['kind'][] = ['repository', 'service', ...LISTED_KINDS, 'sync'];
const CHECKS = 'checks';
/** Records of one repository, along the list of their kind. The branch is JSON: as text, it would end at its first U+0000. */
const BRANCHES_SQL = `select r.sha, case when json_valid(r.json) then r.json -> '$.branch' end, l.time, cast(l.key as blob)
  from listing l cross join record r on r.id = l.record
  where l.list = (select id from list where name = 'commit') and l.scope = ? and l.time <= ? and (l.time < ? or l.key > ?)
  order by l.time desc, l.key limit ?`;
const RELEASES_SQL = `select r.json, cast(r.key as blob), r.time from listing l cross join record r on r.id = l.record
  where l.list = (select id from list where name = 'release') and l.scope = ?`;
const PART_SQL = `select ${ROW_COLUMNS} from record where kind = ? and key > ? order by kind, key limit ?`;

/** What a collector reads: all repositories, approved or not. */
export class StoredRecords {
  readonly #reading: SqliteReading;
  readonly #checks: SqliteCheckReader;

  constructor(reading: SqliteReading, checks: SqliteCheckReader) {
    this.#reading = reading;
    this.#checks = checks;
  }

  /** @param after what the part before returned as `next`; `null` for the first part */
  commitBranches(ref: RepositoryRef, after: TimePosition | null): BranchPart {
    const { database, scopes } = this.#reading;
    const { time, id } = after ?? { time: LATEST_INSTANT + 1, id: '' };
    const rows = database.rows(BRANCHES_SQL, scopes.find(ref) ?? 0, time, time, id, BRANCHES_SIZE);
    const last = rows.at(-1);
    return {
      branches: rows.flatMap(([sha, branch]) => (typeof branch === 'string' ? [[String(sha), JSON.parse(branch) as string | null]] : [])),
      next: rows.length < BRANCHES_SIZE || last === undefined ? null : { time: Number(last[2]), id: textOf(last[3]) },
    };
  }

  releaseIds(ref: RepositoryRef): ReadonlySet<string> {
    const { database, decoder, scopes } = this.#reading;
    const rows = database.rows(RELEASES_SQL, scopes.find(ref) ?? 0);
    return new Set(rows.flatMap((row) => decoder.record('release', rowOf(row))?.id ?? []));
  }

  /**
   * @param after what the part before returned as `next`; `null` for the first part
   * @param keptFrom days that start earlier are older than the retention
   */
  after(after: string | null, keptFrom: Instant): RecordPart {
    const [kind, key] = after === null ? (['repository', ''] as const) : splitAt(after);
    if (kind === CHECKS) {
      const { records, next } = this.#checks.recordsAfter(key === '' ? null : key, keptFrom);
      return { records, next: next === null ? null : `${CHECKS} ${next}` };
    }
    return this.#plainAfter(kind as PlainRecord['kind'], key);
  }

  #plainAfter(kind: PlainRecord['kind'], key: string): RecordPart {
    const rows = this.#reading.database.rows(PART_SQL, kind, key, PART_SIZE).map(rowOf);
    const records = rows.flatMap((row) => this.#reading.decoder.record(kind, row) ?? []);
    const last = rows.at(-1);
    if (rows.length === PART_SIZE && last !== undefined) return { records, next: `${kind} ${last.key}` };
    return { records, next: `${KINDS_IN_ORDER[KINDS_IN_ORDER.indexOf(kind) + 1] ?? CHECKS} ` };
  }
}

function splitAt(text: string): readonly [string, string] {
  const at = text.indexOf(' ');
  return [text.slice(0, at), text.slice(at + 1)];
}
