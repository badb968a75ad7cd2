import {
  compareText,
  nameOfRef,
  type ApprovedRepositories,
  type Commit,
  type CommitReader,
  type ListQuery,
  type ReadContext,
  type TimePage,
} from '@vitrine/core';
import { filterLists } from '../lists/list-names.js';
import { pageOfKind } from '../lists/list-page.js';
import { ROW_COLUMNS, rowOf } from '../records/record-row.js';
import type { SqliteReading } from './sqlite-reading.js';

/** As many as tell a caller that a prefix is ambiguous. */
const MAX_SHAS = 2;
/** Sorts after every hexadecimal digit. */
const AFTER_DIGITS = 'g';

/** The shas of approved repositories that start with a prefix. */
const SHAS_SQL = `select distinct sha from record indexed by record_sha where sha >= ? and sha < ? and scope in (select value from json_each(?)) order by sha limit ?`;
const COMMITS_SQL = `select ${ROW_COLUMNS} from record indexed by record_sha where sha = ? and scope in (select value from json_each(?))`;

export class SqliteCommitReader implements CommitReader {
  readonly #reading: SqliteReading;

  constructor(reading: SqliteReading) {
    this.#reading = reading;
  }

  list(approved: ApprovedRepositories, query: ListQuery<'commit'>, context: ReadContext): Promise<TimePage<Commit>> {
    const filters = filterLists('commit', query);
    return this.#reading.answer(context, () => pageOfKind(this.#reading, { kind: 'commit', scopes: approved.refs, query, filters }));
  }

  bySha(approved: ApprovedRepositories, prefix: string, context: ReadContext): Promise<readonly Commit[]> {
    return this.#reading.answer(context, () => {
      const scopes = JSON.stringify(this.#reading.scopes.ofAll(approved.refs));
      const commits: Commit[] = [];
      for (let start = prefix; commits.length < MAX_SHAS;) {
        const [row] = this.#reading.database.rows(SHAS_SQL, start, prefix + AFTER_DIGITS, scopes, 1);
        if (row === undefined) break;
        const sha = String(row[0]);
        commits.push(...this.#firstOf(sha, scopes));
        // The sha that follows directly.
        start = `${sha}0`;
      }
      return commits;
    });
  }

  /** The commit of the repository whose name sorts first. */
  #firstOf(sha: string, scopes: string): readonly Commit[] {
    const { database, decoder } = this.#reading;
    const found = database.rows(COMMITS_SQL, sha, scopes).flatMap((row) => decoder.record('commit', rowOf(row)) ?? []);
    return found.sort((a, b) => compareText(nameOfRef(a.repositoryRef), nameOfRef(b.repositoryRef))).slice(0, 1);
  }
}
