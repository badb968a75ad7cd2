import type { ReadContext, Service, ServiceReader } from '@vitrine/core';
import { recordsOf } from '../reading/decoding.js';
import { findDocuments } from '../reading/find-documents.js';
import type { MongoReading } from '../reading/mongo-reading.js';
import { byKey } from '../reading/single-record.js';
import { DOCUMENTS } from '../documents/record-documents.js';

export class MongoServiceReader implements ServiceReader {
  readonly #reading: MongoReading;

  constructor(reading: MongoReading) {
    this.#reading = reading;
  }

  async list(context: ReadContext): Promise<readonly Service[]> {
    const services = this.#reading.collections.of('services');
    const found = await this.#reading.run(context, (options) => findDocuments(services, {}, { ...options, sort: { _id: 1 } }));
    return recordsOf(DOCUMENTS.service, found, this.#reading.monitor);
  }

  byKey(key: string, context: ReadContext): Promise<Service | null> {
    return byKey(this.#reading, DOCUMENTS.service, 'services', key, context);
  }
}
