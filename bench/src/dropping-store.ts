import type { CollectionReader, RecordWriter, StoredRecord, Sync } from '@vitrine/core';

/** A store that shows each record to `take` and keeps only sync records, so that its own time and memory are not measured. */
export class DroppingStore {
  readonly #syncs = new Map<string, Sync>();
  readonly writer: RecordWriter;
  readonly collection: CollectionReader;

  /** @param known what a source reads of its earlier runs */
  constructor(take: (record: StoredRecord) => void, known: Partial<CollectionReader> = {}) {
    const none = () => Promise.resolve(0);
    this.writer = {
      put: (records) => {
        for (const record of records) {
          if (record.kind === 'sync') this.#syncs.set(record.id, record);
          take(record);
        }
        return Promise.resolve({ stored: records.length, unchanged: 0, refused: [] });
      },
      remove: none,
      withdraw: none,
      moveCommits: none,
      indexFor: () => Promise.resolve(),
    };
    this.collection = {
      commitBranches: () => Promise.resolve(new Map()),
      releaseIds: () => Promise.resolve(new Set()),
      findings: () => Promise.resolve([]),
      services: () => Promise.resolve([]),
      checkedDays: () => Promise.resolve(new Map()),
      checksOf: () => Promise.resolve([]),
      sync: (id) => Promise.resolve(this.#syncs.get(id) ?? null),
      releasesOf: notKept,
      records: notKept,
      statements: notKept,
      ...known,
    };
  }
}

function notKept(): never {
  throw new Error('This store keeps no records.');
}
