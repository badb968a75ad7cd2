import { statfsSync } from 'node:fs';
import { MINUTE } from '@vitrine/core';
import { sqliteCodeOf } from '../database/sqlite-database.js';
import { StoreFolderError } from './store-folder-error.js';

export interface WriteStateOptions {
  /** The free bytes of the disk; `null` if they are unknown. */
  readonly free: () => number | null;
  /** Milliseconds of a clock that never jumps. */
  readonly elapsed: () => number;
  readonly onChange: (problem: StoreFolderError | null) => void;
}

const MEGABYTE = 1_048_576;
/** After a disk was full: so much more space must be free, or no write may have failed for so long. */
const [FREED, QUIET_MS] = [MEGABYTE, 10 * MINUTE];

/** Whether the files of a store can be written, judged by how writes end. On a full disk small writes often succeed, so that problem ends only after space was freed. */
export class WriteState {
  #problem: StoreFolderError | null = null;
  #free: number | null = null;
  #failedAt = 0;

  constructor(private readonly options: WriteStateOptions) {}

  /** Why nothing can be written now; `null` if it can. */
  get problem(): StoreFolderError | null {
    return this.#problem;
  }

  /** @param error `null` if the write succeeded */
  ended(error: unknown): void {
    if (error === null) {
      if (this.#problem !== null && !this.#isStillFull()) this.set(null);
    } else if (error instanceof StoreFolderError && error.preventsWriting) {
      [this.#failedAt, this.#free] = [this.options.elapsed(), this.options.free()];
      this.set(error);
    }
  }

  set(problem: StoreFolderError | null): void {
    const isNew = problem?.problem !== this.#problem?.problem;
    this.#problem = problem;
    if (isNew) this.options.onChange(problem);
  }

  #isStillFull(): boolean {
    if (sqliteCodeOf(this.#problem?.cause) !== 'SQLITE_FULL' || this.#free === null) return false;
    if (this.options.elapsed() - this.#failedAt > QUIET_MS) return false;
    const free = this.options.free();
    return free !== null && free < this.#free + FREED;
  }
}

export function freeBytes(folder: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return null;
  }
}
