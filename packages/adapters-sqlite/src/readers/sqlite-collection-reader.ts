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
  TimePosition,
} from '@vitrine/core';
import { SqliteCheckReader } from '../status/sqlite-check-reader.js';
import { byKey, serviceReader } from './record-readers.js';
import type { SqliteReading } from './sqlite-reading.js';
import { StoredRecords, type BranchPart, type RecordPart, type ReleasePart } from './stored-records.js';

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

  /** In parts, so that other work does not wait long for a large repository. */
  async commitBranches(ref: RepositoryRef, context: CallContext): Promise<ReadonlyMap<string, string | null>> {
    const branches = new Map<string, string | null>();
    for (let after: TimePosition | null = null, isFirst = true; isFirst || after !== null; isFirst = false) {
      const position = after;
      const part: BranchPart = await this.#part(position, context, () =>
        this.#records.commitBranches({ ref, source: context.source ?? null }, position),
      );
      for (const [sha, branch] of part.branches) branches.set(sha, branch);
      after = part.next;
    }
    return branches;
  }

  releaseIds(ref: RepositoryRef, context: CallContext): Promise<ReadonlySet<string>> {
    return this.reading.answer(context, () => this.#records.releaseIds({ ref, source: context.source ?? null }));
  }

  /** In parts, because notes can be long. */
  async *releasesOf(ref: RepositoryRef, context: ReadContext): AsyncIterable<Release> {
    for (let after: TimePosition | null = null, isFirst = true; isFirst || after !== null; isFirst = false) {
      const position = after;
      const part: ReleasePart = await this.#part(position, context, () => this.#records.releasesOf(ref, position));
      yield* part.releases;
      after = part.next;
    }
  }

  findings(ref: RepositoryRef, context: CallContext): Promise<readonly Finding[]> {
    return this.reading.answer(context, () => this.#records.findings({ ref, source: context.source ?? null }));
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

  /** Other work can run between two parts. */
  async #part<Part>(position: unknown, context: ReadContext, read: () => Part): Promise<Part> {
    if (position !== null) await nextTurn();
    return this.reading.answer(context, read);
  }

  /** Each part is read when it is requested, so it shows the store at that time. */
  async *#all(context: ReadContext, asStated: boolean): AsyncIterable<StatedRecord> {
    const keptFrom = this.reading.clock.now() - this.retentionMs;
    for (let after: string | null = null, isFirst = true; isFirst || after !== null; isFirst = false) {
      const position = after;
      const part: RecordPart = await this.#part(position, context, () => this.#records.after({ after: position, keptFrom, asStated }));
      yield* part.records;
      after = part.next;
    }
  }
}
