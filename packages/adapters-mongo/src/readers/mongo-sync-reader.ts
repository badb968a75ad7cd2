import { compareText, NO_REPOSITORY, type ApprovedRepositories, type ReadContext, type SyncReader, type SyncTimes } from '@vitrine/core';
import { recordsOf } from '../reading/decoding.js';
import { findDocuments } from '../reading/find-documents.js';
import type { MongoReading } from '../reading/mongo-reading.js';
import { DOCUMENTS } from '../documents/record-documents.js';

export class MongoSyncReader implements SyncReader {
  readonly #reading: MongoReading;

  constructor(reading: MongoReading) {
    this.#reading = reading;
  }

  async list(approved: ApprovedRepositories | null, context: ReadContext): Promise<readonly SyncTimes[]> {
    const scopes = [NO_REPOSITORY, ...(approved?.refs ?? [])];
    const syncs = this.#reading.collections.of('syncs');
    // A source's memory can be large, and is not asked for.
    const found = await this.#reading.run(context, (options) =>
      findDocuments(syncs, { repositoryRef: { $in: scopes } }, { ...options, projection: { state: 0 } }),
    );
    return recordsOf(DOCUMENTS.sync, found, this.#reading.monitor).sort((a, b) => compareText(a.id, b.id));
  }
}
