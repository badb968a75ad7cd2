import { keyOfIdentity, type Clock, type RecordStore, type RecordWriter, type StoredRecord, type Sync } from '@vitrine/core';
import type { RunReport, Source } from '../../running/source.js';
import { wrappedWriter } from '../../running/vouching.js';

/** Opens an empty store. */
export type OpenStore = (clock: Clock) => Promise<RecordStore>;

/** The process of a source was killed. */
export class IsKilled extends Error {}

/** A store in which a contract case runs a source. */
export class ContractStore {
  now: number;
  readonly #store: RecordStore;
  readonly #signal = new AbortController().signal;

  private constructor(store: RecordStore, now: number) {
    [this.#store, this.now] = [store, now];
  }

  static async open(openStore: OpenStore, now: number): Promise<ContractStore> {
    return new ContractStore(await openStore({ now: () => now }), now);
  }

  close(): Promise<void> {
    return this.#store.close();
  }

  run(source: Source, signal: AbortSignal = this.#signal, writer: RecordWriter = this.#store.writer): Promise<RunReport> {
    const { collection } = this.#store;
    return source.run({ writer, collection, clock: { now: () => this.now }, signal, progress: () => undefined });
  }

  /** What a run rejects with; `null` if it resolves. */
  async failure(source: Source, signal: AbortSignal = this.#signal): Promise<unknown> {
    try {
      await this.run(source, signal);
      return null;
    } catch (error) {
      return error;
    }
  }

  /** Whether the run was killed: all calls of the writer after the first ones fail, as if the process were gone. */
  async killedAfter(source: Source, calls: number): Promise<boolean> {
    let left = calls;
    const unlessKilled = <Result>(write: () => Promise<Result>): Promise<Result> => (left-- > 0 ? write() : Promise.reject(new IsKilled()));
    const { writer } = this.#store;
    try {
      await this.run(source, this.#signal, wrappedWriter(writer, unlessKilled));
      return false;
    } catch (error) {
      if (error instanceof IsKilled) return true;
      throw error;
    }
  }

  async copy(records: readonly StoredRecord[]): Promise<void> {
    await this.#store.writer.put(records, { signal: this.#signal });
  }

  async sync(id: string): Promise<Sync | null> {
    return this.#store.collection.sync(id, { signal: this.#signal });
  }

  /** Everything that is stored, in a fixed order. */
  async records(): Promise<readonly StoredRecord[]> {
    const found: StoredRecord[] = [];
    for await (const record of this.#store.collection.records({ signal: this.#signal })) found.push(record);
    return found
      .map((record) => ({ key: JSON.stringify([record.kind, keyOf(record)]), record }))
      .sort((a, b) => (a.key < b.key ? -1 : 1))
      .map(({ record }) => record);
  }

  /** The same without sync records and times of repositories, which tell of each run. */
  async content(): Promise<readonly StoredRecord[]> {
    const records = await this.records();
    return records
      .filter(({ kind }) => kind !== 'sync')
      .map((record) => (record.kind === 'repository' ? { ...record, lastSyncedAt: 0, provenance: { ...record.provenance, observedAt: 0 } } : record));
  }
}

function keyOf(record: StoredRecord): unknown {
  return record.kind === 'check' || record.kind === 'status-day' ? record : keyOfIdentity(record);
}
