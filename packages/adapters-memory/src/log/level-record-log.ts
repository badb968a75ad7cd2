import { ClassicLevel } from 'classic-level';
import { readClosingNote, removeClosingNote, writeClosingNote } from './closing-note.js';
import { checksumOf, EntrySums, type SumChange, type EntryTotals } from './entry-sums.js';
import { prepareFolder } from './folder-check.js';
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

/** Four times LevelDB's default, so that a large import waits less for merges of tables. */
const WRITE_BUFFER_BYTES = 16 * 1_024 * 1_024;

/**
 * A record log in a LevelDB folder. Every append is one synced batch. LevelDB writes a batch completely or not at all.
 *
 * Damage is detected in several ways. Each value has the CRC-32 of its key and itself. Every batch also writes the number of entries and the sum of their checksums,
 * so a lost batch or block is noticed when all entries are loaded. A note at closing shows whether the end is lost. Errors that LevelDB itself finds are passed on. If a process dies
 * during an append, it leaves at most one batch that was not acknowledged.
 */
export class LevelRecordLog implements RecordLog {
  readonly #folder: string;
  readonly #holder: string | null;
  #level: Level;
  #sums = new EntrySums();
  #isLoaded = false;
  /** Whether the closing note may exist in the folder. */
  #isNoted = true;
  /** The totals of the log if the changes of the failed append were written; `null` if no append has failed. */
  #failed: EntryTotals | null = null;

  private constructor(folder: string, holder: string | null, level: Level) {
    this.#folder = folder;
    this.#holder = holder;
    this.#level = level;
  }

  /**
   * Opens the folder, and creates it for this user only if it does not exist. Rejects with a `StoreFolderError`.
   *
   * @param holder the name of this process, for other processes that find the folder in use
   */
  static async open(folder: string, holder: string | null = null): Promise<LevelRecordLog> {
    await prepareFolder(folder);
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
      // The totals are sorted first, so a folder of another format is rejected before anything else is read.
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
    // LevelDB would continue, but at a wrong offset: the next start would stop reading there.
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

  /** When a folder is opened, LevelDB writes all entries that it could read to a new file. So the entries that are found are durable. */
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
    // To add operations one by one takes a third of the time of passing a list, because LevelDB copies each operation of a list.
    const batch = this.#level.batch();
    for (const [index, { key, value }] of changes.entries())
      if (value === null) batch.del(key);
      else batch.put(key, storedValue(value, sums[index]?.checksum ?? 0));
    batch.put(TOTALS_KEY, storedValue(encoded, checksumOf(TOTALS_KEY, encoded)));
    await batch.write({ sync: true });
  }

  async close(): Promise<void> {
    // This happens while the folder is locked, so it cannot remove the note of the next process.
    await noteHolder(this.#folder, null);
    await this.#level.close();
    // After a failed batch it is unknown whether the batch is in the folder.
    if (!this.#isLoaded || this.#failed !== null || this.#isNoted) return;
    // Acknowledged data is durable without the note too, so a full disk is not an error here.
    await writeClosingNote(this.#folder, this.#sums.totals).catch(() => undefined);
  }

  async *#entries(): AsyncIterable<[string, Buffer][]> {
    const iterator = this.#level.iterator({ highWaterMarkBytes: READ_BYTES, fillCache: false });
    // The next entries are read while these are processed.
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

/** A stored value is its checksum, followed by the value. */
function storedValue(value: Uint8Array, checksum: number): Buffer {
  const stored = Buffer.allocUnsafe(CHECKSUM_BYTES + value.length);
  stored.writeUInt32LE(checksum, 0);
  stored.set(value, CHECKSUM_BYTES);
  return stored;
}

/** Messages of LevelDB for files that are inconsistent or cannot be read. */
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

/** The message of the innermost cause. */
function reasonOf(error: unknown): string {
  return causesOf(error).at(-1)?.message ?? String(error);
}

interface Cause {
  readonly code: string;
  readonly message: string;
}

/** An error and its causes, recognised by their shape: errors of a native module need not be instances of this realm's `Error`. */
function causesOf(error: unknown): Cause[] {
  if (typeof error !== 'object' || error === null) return [];
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const message = 'message' in error && typeof error.message === 'string' ? error.message : '';
  return [{ code, message }, ...causesOf('cause' in error ? error.cause : null)];
}
