import type { SqliteDatabase } from '../database/sqlite-database.js';

interface LastBatch {
  readonly number: number;
  /** Who wrote it. */
  readonly process: string;
  /** The first batch of the series that this process has written without another one in between. */
  readonly since: number;
}

/** Notices writes of other processes. */
export class ForeignWrites {
  readonly #database: SqliteDatabase;
  readonly #process: string;
  #version: number;
  #seen: number;

  constructor(database: SqliteDatabase, process: string) {
    this.#database = database;
    this.#process = process;
    this.#version = this.#dataVersion();
    this.#seen = this.#lastBatch().number;
  }

  /** Whether another process has written since the last call. Costs 0.02 ms if nothing was written. */
  hasNew(): boolean {
    const version = this.#dataVersion();
    if (version === this.#version) return false;
    this.#version = version;
    const { number, process, since } = this.#lastBatch();
    const isOwn = number === this.#seen || (process === this.#process && since <= this.#seen + 1);
    this.#seen = number;
    return !isOwn;
  }

  /** Changes with each commit of another connection, also of this process. */
  #dataVersion(): number {
    return this.#database.number('pragma data_version');
  }

  #lastBatch(): LastBatch {
    const [number, process, since] = this.#database.row('select number, process, since from last_batch') ?? [];
    return { number: Number(number), process: String(process), since: Number(since) };
  }
}
