import {
  KINDS,
  type ApprovedRepositories,
  type ListQuery,
  type ReadContext,
  type RecordOf,
  type RecordReader,
  type ScopedKind,
  type TimePage,
} from '@vitrine/core';
import type { DocumentSpec } from '../documents/document-spec.js';
import { fieldValues } from '../lists/field-values.js';
import { LISTS, type ListOfKind } from '../lists/stored-lists.js';
import { TimeList } from '../lists/time-list.js';
import type { MongoReading } from '../reading/mongo-reading.js';
import { scopedById } from '../reading/single-record.js';
import { DOCUMENTS } from '../documents/record-documents.js';

/** Reads every kind without a separate port. */
export class MongoRecordReader<Kind extends ScopedKind> implements RecordReader<Kind> {
  readonly #reading: MongoReading;
  readonly #kind: Kind;
  readonly #spec: DocumentSpec<RecordOf<Kind>>;
  readonly #stored: ListOfKind<Kind>;
  readonly #list: TimeList<RecordOf<Kind>>;

  constructor(reading: MongoReading, kind: Kind) {
    this.#reading = reading;
    this.#kind = kind;
    this.#spec = DOCUMENTS[kind];
    this.#stored = LISTS[kind];
    this.#list = new TimeList(reading, this.#spec, this.#stored);
  }

  list(approved: ApprovedRepositories, query: ListQuery<Kind>, context: ReadContext): Promise<TimePage<RecordOf<Kind>>> {
    return this.#list.page({ approved, query, values: fieldValues(this.#stored, query) }, context);
  }

  byId(approved: ApprovedRepositories, idKey: string, context: ReadContext): Promise<RecordOf<Kind> | null> {
    return scopedById(this.#reading, this.#spec, KINDS[this.#kind].plural, approved, idKey, context);
  }
}
