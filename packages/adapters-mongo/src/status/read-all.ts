import type { ReadContext } from '@vitrine/core';
import type { Document } from 'mongodb';
import { aggregateDocuments, type FoundDocuments } from '../reading/find-documents.js';
import type { MongoReading } from '../reading/mongo-reading.js';

const NOTHING: FoundDocuments = { documents: [], damaged: new Set() };

/** A pipeline over one collection. */
export interface Part {
  readonly coll: 'status_days' | 'status_checks';
  readonly pipeline: readonly Document[];
}

/** Runs several pipelines in one command. */
export function readAll(reading: MongoReading, parts: readonly Part[], context: ReadContext): Promise<FoundDocuments> {
  const [first, ...others] = parts;
  if (first === undefined) return Promise.resolve(NOTHING);
  const pipeline = [...first.pipeline, ...others.map((other) => ({ $unionWith: other }))];
  return reading.run(context, (options) => aggregateDocuments(reading.collections.of(first.coll), pipeline, options));
}
