import { ClassicLevel } from 'classic-level';
import { readClosingNote, removeClosingNote, writeClosingNote } from './closing-note.js';
import { checksumOf, EntrySums, type SumChange, type EntryTotals } from './entry-sums.js';
import { checkFolder } from './folder-check.js';
import { noteHolder, readHolder } from './holder-note.js';
import type { LogChange, LogEntry, RecordLog } from './record-log.js';
import { damaged, inUse, newer, StoreFolderError, unreadable, unwritable } from './store-folder-error.js';

/** The layout of keys and values that this version writes. */
const FORMAT = 1;
/** Sorts before the keys of all entries. */
const TOTALS_KEY = '!vitrine';
const CHECKSUM_BYTES = 4;
const READ_ENTRIES = 1_000;
const READ_BYTES = 1024 * 1024;

type Level = ClassicLevel<string, Buffer>;

interface StoredTotals extends EntryTotals {
  readonly format: number;
}

/** Four times LevelDB's own: a large import then waits less for tables to be merged. */
const WRITE_BUFFER_BYTES = 16 * 1_024 * 1_024;

/**
 * A record log in a LevelDB folder. Every append is one synced batch, which LevelDB writes whole or not at all.
 *
 * How damage is noticed: each value carries the CRC-32 of its key and itself; the number of entries and the sum of their checksums are written with
 * every batch, so that a batch or a block lost in between shows when all entries are loaded; a note left at closing shows a lost end; what LevelDB itself finds is passed on. A process that dies
 * while it appends leaves at most a batch that nobody was told of.
 */
export class LevelRecordLog implements RecordLog {
  readonly #folder: string;
  readonly #holder: string | null;
  #level: Level;
  #sums = new EntrySums();
  #isLoaded = false;
  /** Whether the closing note may stand in the folder. */
  #isNoted = true;
  /** What the log holds if the changes of the append that failed are in it; `null` while none has failed. */
  #failed: EntryTotals | null = null;

  private constructor(folder: string, holder: string | null, level: Level) {
    this.#folder = folder;
    this.#holder = holder;
    this.#level = level;
  }

  /**
   * Opens the folder, and makes it when it is not there. Rejects with a `StoreFolderError`.
   *
   * @param holder what this process is called when another one finds the folder in use
   */
  static async open(folder: string, holder: string | null = null): Promise<LevelRecordLog> {
    await checkFolder(folder);
    const level: Level = new ClassicLevel(folder, { keyEncoding: 'utf8', valueEncoding: 'buffer', writeBufferSize: WRITE_BUFFER_BYTES });
    try {
      await level.open();
    } catch (error) {
      throw isLocked(error) ? inUse(folder, await readHolder(folder), error) : openError(folder, error);
    }
    await noteHolder(folder, holder);
    return new LevelRecordLog(folder, holder, level);
  }

  async *load(): AsyncIterable<readonly LogEntry[]> {
    let totals: StoredTotals | null = null;
    for await (const found of this.#entries()) {
      const entries = found.map(([key, stored]) => ({ key, value: this.#checkedValue(key, stored) }));
      // The totals sort first: a folder of another format is refused before anything of it is read.
      const [first] = totals === null ? entries.splice(0, 1) : [];
      if (first !== undefined) totals = this.#totalsFrom(first);
      yield entries;
    }
    this.#compareTotals(totals);
    this.#compareNote(await readClosingNote(this.#folder));
    this.#isLoaded = true;
  }

  async append(changes: readonly LogChange[]): Promise<void> {
    if (!this.#isLoaded) throw new Error('the log must be loaded before the first append');
    // LevelDB would go on, but writes at a wrong offset from then on: the next start would stop reading there.
    if (this.#failed !== null) throw new Error('the log must be recovered after an append that failed');
    if (changes.length === 0) return;
    const sums = changes.map(({ key, value }) => ({ key, checksum: value === null ? null : checksumOf(key, value) }));
    try {
      if (this.#isNoted) await removeClosingNote(this.#folder);
      this.#isNoted = false;
      await this.#write(changes, sums);
    } catch (error) {
      this.#failed = this.#sums.after(sums);
      throw unwritable(this.#folder, reasonOf(error), error);
    }
    for (const sum of sums) this.#sums.set(sum);
  }

  async recover(): Promise<boolean> {
    if (this.#failed === null) return false;
    const isKept = await this.#reopen(this.#failed);
    this.#failed = null;
    return isKept;
  }

  /** Opening the folder makes LevelDB write what it could read into a new file, so that what is found is durable. */
  async #reopen(failed: EntryTotals): Promise<boolean> {
    await this.#level.close();
    const again = await LevelRecordLog.open(this.#folder, this.#holder).catch((error: unknown) => {
      throw error instanceof StoreFolderError && error.problem === 'unreadable' ? unwritable(this.#folder, reasonOf(error), error) : error;
    });
    try {
      for await (const entries of again.load()) void entries;
      const found = again.#sums.totals;
      if (!isEqual(found, failed) && !isEqual(found, this.#sums.totals))
        throw damaged(this.#folder, 'after a write that failed, earlier ones are missing');
      [this.#level, this.#sums, this.#isNoted] = [again.#level, again.#sums, true];
      return isEqual(found, failed);
    } catch (error) {
      await again.#level.close();
      throw error;
    }
  }

  async #write(changes: readonly LogChange[], sums: readonly SumChange[]): Promise<void> {
    const totals: StoredTotals = { format: FORMAT, ...this.#sums.after(sums) };
    const encoded = Buffer.from(JSON.stringify(totals));
    // Adding one by one costs a third of handing over a list, of which every operation is copied.
    const batch = this.#level.batch();
    for (const [index, { key, value }] of changes.entries())
      if (value === null) batch.del(key);
      else batch.put(key, storedValue(value, sums[index]?.checksum ?? 0));
    batch.put(TOTALS_KEY, storedValue(encoded, checksumOf(TOTALS_KEY, encoded)));
    await batch.write({ sync: true });
  }

  async close(): Promise<void> {
    // While the folder is locked, so that it is never the note of the next process.
    await noteHolder(this.#folder, null);
    await this.#level.close();
    // After a failed batch nobody knows whether it is in the folder.
    if (!this.#isLoaded || this.#failed !== null || this.#isNoted) return;
    // Everything acknowledged is durable without the note too, so a disk that is full by now is no failure.
    await writeClosingNote(this.#folder, this.#sums.totals).catch(() => undefined);
  }

  async *#entries(): AsyncIterable<[string, Buffer][]> {
    const iterator = this.#level.iterator({ highWaterMarkBytes: READ_BYTES, fillCache: false });
    // The next ones are read while these are taken in.
    const read = (): Promise<[string, Buffer][]> => {
      const found = iterator.nextv(READ_ENTRIES);
      found.catch(() => undefined);
      return found;
    };
    try {
      let next = read();
      for (let found = await next; found.length > 0; found = await next) {
        next = read();
        yield found;
      }
    } catch (error) {
      throw openError(this.#folder, error);
    } finally {
      await iterator.close();
    }
  }

  #checkedValue(key: string, stored: Buffer): Uint8Array {
    const value = stored.subarray(CHECKSUM_BYTES);
    const checksum = stored.length < CHECKSUM_BYTES ? -1 : stored.readUInt32LE(0);
    if (checksumOf(key, value) !== checksum) throw damaged(this.#folder, `the checksum of entry ${JSON.stringify(key.slice(0, 80))} is wrong`);
    if (key !== TOTALS_KEY) this.#sums.set({ key, checksum });
    return value;
  }

  #totalsFrom({ key, value }: LogEntry): StoredTotals {
    if (key !== TOTALS_KEY) throw damaged(this.#folder, 'its totals are missing');
    const totals = JSON.parse(Buffer.from(value).toString()) as StoredTotals;
    if (totals.format > FORMAT) throw newer(this.#folder, totals.format, FORMAT);
    return totals;
  }

  #compareNote(noted: EntryTotals | null): void {
    const found = this.#sums.totals;
    if (noted === null || isEqual(found, noted)) return;
    throw damaged(
      this.#folder,
      `what was written last is missing: it held ${String(noted.entries)} entries when it was closed, and holds ${String(found.entries)}`,
    );
  }

  #compareTotals(expected: StoredTotals | null): void {
    const found = this.#sums.totals;
    const wanted = expected ?? { entries: 0, sum: 0 };
    if (isEqual(found, wanted)) return;
    throw damaged(
      this.#folder,
      `it should hold ${String(wanted.entries)} entries, and what it holds are ${String(found.entries)} that are not the same`,
    );
  }
}

function isEqual(a: EntryTotals, b: EntryTotals): boolean {
  return a.entries === b.entries && a.sum === b.sum;
}

/** A value is stored behind its checksum. */
function storedValue(value: Uint8Array, checksum: number): Buffer {
  const stored = Buffer.allocUnsafe(CHECKSUM_BYTES + value.length);
  stored.writeUInt32LE(checksum, 0);
  stored.set(value, CHECKSUM_BYTES);
  return stored;
}

/** What LevelDB says when its own files do not agree or cannot be read. */
const DAMAGE =
  /LEVEL_CORRUPTION|Corruption|missing files|does not exist|no meta-|bad block|bad record|No such file|\.ldb: Invalid argument|too short/i;

function openError(folder: string, error: unknown): unknown {
  if (error instanceof StoreFolderError) return error;
  const reason = reasonOf(error);
  return DAMAGE.test(textOf(error)) ? damaged(folder, reason, error) : unreadable(folder, reason, error);
}

function isLocked(error: unknown): boolean {
  return textOf(error).includes('LEVEL_LOCKED');
}

function textOf(error: unknown): string {
  return causesOf(error)
    .map(({ code, message }) => `${code} ${message}`)
    .join(' ');
}

/** What the innermost cause says. */
function reasonOf(error: unknown): string {
  return causesOf(error).at(-1)?.message ?? String(error);
}

interface Cause {
  readonly code: string;
  readonly message: string;
}

/** An error and its causes, by shape: the errors of a native module need not be instances of this realm's `Error`. */
function causesOf(error: unknown): Cause[] {
  if (typeof error !== 'object' || error === null) return [];
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const message = 'message' in error && typeof error.message === 'string' ? error.message : '';
  return [{ code, message }, ...causesOf('cause' in error ? error.cause : null)];
}
