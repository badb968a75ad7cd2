import { CONFIGURATION_PREFIX, type ConfigurationReader, type ReadContext, type Sync } from '@vitrine/core';
import { recordsOf } from '../reading/decoding.js';
import { findDocuments } from '../reading/find-documents.js';
import type { MongoReading } from '../reading/mongo-reading.js';
import { DOCUMENTS } from '../documents/record-documents.js';

/** An anchored pattern without special characters is a range of the index. */
const BY_PREFIX = { _id: { $regex: `^${CONFIGURATION_PREFIX}` } } as const;

export class MongoConfigurationReader implements ConfigurationReader {
  readonly #reading: MongoReading;

  constructor(reading: MongoReading) {
    this.#reading = reading;
  }

  async list(context: ReadContext): Promise<readonly Sync[]> {
    const syncs = this.#reading.collections.of('syncs');
    const found = await this.#reading.run(context, (options) => findDocuments(syncs, BY_PREFIX, { ...options, sort: { _id: 1 } }));
    return recordsOf(DOCUMENTS.sync, found, this.#reading.monitor);
  }
}
