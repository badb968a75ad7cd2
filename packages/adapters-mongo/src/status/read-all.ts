import type { ReadContext } from '@vitrine/core';
import type { Document } from 'mongodb';
import { aggregateDocuments, type FoundDocuments } from '../reading/find-documents.js';
import type { MongoReading } from '../reading/mongo-reading.js';

const NOTHING: FoundDocuments = { documents: [], damaged: new Set() };

/** Runs several pipelines over one collection in one command. */
export function readAll(
  reading: MongoReading,
  coll: 'status_days' | 'status_checks',
  pipelines: readonly (readonly Document[])[],
  context: ReadContext,
): Promise<FoundDocuments> {
  const [first, ...others] = pipelines;
  if (first === undefined) return Promise.resolve(NOTHING);
  const pipeline = [...first, ...others.map((other) => ({ $unionWith: { coll, pipeline: other } }))];
  return reading.run(context, (options) => aggregateDocuments(reading.collections.of(coll), pipeline, options));
}
