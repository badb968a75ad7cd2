import type { ReadContext, Service, ServiceReader } from '@vitrine/core';
import { serviceDocument } from '../documents/status-documents.js';
import { recordsOf } from '../reading/decoding.js';
import { findDocuments } from '../reading/find-documents.js';
import type { MongoReading } from '../reading/mongo-reading.js';
import { byKey } from '../reading/single-record.js';

export class MongoServiceReader implements ServiceReader {
  readonly #reading: MongoReading;

  constructor(reading: MongoReading) {
    this.#reading = reading;
  }

  async list(context: ReadContext): Promise<readonly Service[]> {
    const services = this.#reading.collections.of('services');
    const found = await this.#reading.run(context, (options) => findDocuments(services, {}, { ...options, sort: { _id: 1 } }));
    return recordsOf(serviceDocument, found, this.#reading.monitor);
  }

  byKey(key: string, context: ReadContext): Promise<Service | null> {
    return byKey(this.#reading, serviceDocument, 'services', key, context);
  }
}
