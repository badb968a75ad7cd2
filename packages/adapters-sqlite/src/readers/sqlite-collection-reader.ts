import { setImmediate as nextTurn } from 'node:timers/promises';
import type {
  CallContext,
  Check,
  CheckedDay,
  CollectionReader,
  Finding,
  ReadContext,
  Release,
  RepositoryRef,
  Service,
  ServiceDay,
  StatedRecord,
  StoredRecord,
  Sync,
} from '@vitrine/core';
import { SqliteCheckReader } from '../status/sqlite-check-reader.js';
import { byKey, serviceReader } from './record-readers.js';
import type { SqliteReading } from './sqlite-reading.js';
import { StoredRecords } from './stored-records.js';

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
