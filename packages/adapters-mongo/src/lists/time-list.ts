import {
  pageOf,
  positionOf,
  type ApprovedRepositories,
  type ListedRecord,
  type ReadContext,
  type TimeListQuery,
  type TimePage,
  type TimePosition,
} from '@vitrine/core';
import type { Filter } from 'mongodb';
import type { DocumentSpec, StoredDocument } from '../documents/document-spec.js';
import { findBytes } from '../reading/find-documents.js';
import { Meanings } from '../reading/meanings.js';
import type { MongoReading } from '../reading/mongo-reading.js';
import { ScopedCollection } from '../reading/scoped-collection.js';
import { listFilter, rangeOf } from './list-filter.js';
import { positionIn, type PageOptions } from './list-page.js';
import { planList, type FieldValues } from './list-plan.js';
import type { StoredList } from './stored-lists.js';
import { WideList } from './wide-list.js';

/** The request for one page. */
export interface ListQuestion {
  /** `null` for a kind of records that belong to no repository. */
  readonly approved: ApprovedRepositories | null;
  readonly query: TimeListQuery;
  readonly values: FieldValues;
  /** A further condition besides the filters that have an index. */
  readonly also?: Filter<StoredDocument>;
}

/** The list of one kind, newest first. */
export class TimeList<Record extends ListedRecord> {
  readonly #reading: MongoReading;
  readonly #meanings: Meanings<Record>;
  readonly #list: StoredList;
  readonly #records: ScopedCollection;
  readonly #wide: WideList;
  readonly #form: Pick<PageOptions, 'sort' | 'projection'>;

  constructor(reading: MongoReading, spec: DocumentSpec<Record>, list: StoredList) {
    this.#reading = reading;
    this.#meanings = new Meanings(spec.kind, reading, spec);
    this.#list = list;
    this.#records = new ScopedCollection(reading.collections.of(list.collection));
    this.#wide = new WideList(list, this.#records, reading.clock);
    // The server leaves out the fields that exist only for indexes, except the time by which the list is sorted. That is faster than to decode and drop them here.
    const unread = spec.derived.filter((name) => name !== list.time);
    this.#form = { sort: { [list.time]: -1, _id: 1 }, projection: Object.fromEntries(unread.map((name) => [name, 0])) };
  }

  /** Returns a full page, unless it is the last. The next documents replace those that cannot be decoded. */
  page(question: ListQuestion, context: ReadContext): Promise<TimePage<Record>> {
    const limit = question.query.limit + 1;
    return this.#reading.run(context, async (options) => {
      const records: Record[] = [];
      let after = question.query.after;
      for (;;) {
        const found = await this.#find(question, after, { ...options, limit, ...this.#form });
        records.push(...this.#meanings.of(found));
        if (records.length >= limit || found.length < limit) return pageOf(records.slice(0, limit), question.query.limit, positionOf);
        after = positionIn(this.#list, found.at(-1)) ?? after;
      }
    });
  }

  #find({ approved, query, values, also }: ListQuestion, after: TimePosition | null, options: PageOptions): Promise<readonly Uint8Array[]> {
    const range = rangeOf(query, after);
    const filter = { ...listFilter(this.#list, range, after, values), ...(also === undefined ? {} : { $and: [also] }) };
    const { isTimeLed, hint } = planList(this.#list, approved?.scopes.length ?? 0, values);
    if (approved === null) return findBytes(this.#reading.collections.of(this.#list.collection), filter, { ...options, hint });
    if (isTimeLed) return this.#wide.find({ approved, filter, range, values, options });
    return this.#records.findBytes(approved, filter, { ...options, hint });
  }
}
