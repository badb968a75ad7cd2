import {
  compareText,
  pageOf,
  positionOf,
  type ApprovedRepositories,
  type ListedRecord,
  type ReadContext,
  type TimeListQuery,
  type TimePage,
  type TimePosition,
} from '@vitrine/core';
import { MongoServerError, type Document, type Filter } from 'mongodb';
import type { DocumentSpec, StoredDocument } from '../documents/document-spec.js';
import { recordsOf } from '../reading/decoding.js';
import { findDocuments, type FoundDocuments } from '../reading/find-documents.js';
import type { MongoReading } from '../reading/mongo-reading.js';
import type { OperationOptions } from '../reading/read-from.js';
import { ScopedCollection } from '../reading/scoped-collection.js';
import { listFilter } from './list-filter.js';
import { planList, repositoryLedHint, type FieldValues } from './list-plan.js';
import { SlowWalks } from './slow-walks.js';
import type { StoredList } from './stored-lists.js';

/** A walk by time over more scopes than can be merged may take so long; then their lists are asked for in parts. */
const MAX_WALK_MS = 50;
const MAX_TIME_EXPIRED = 50;

/** One page's question. */
export interface ListQuestion {
  /** `null` for a kind that belongs to no repository. */
  readonly approved: ApprovedRepositories | null;
  readonly query: TimeListQuery;
  readonly values: FieldValues;
  /** A condition beside the filters that have an index. */
  readonly also?: Filter<StoredDocument>;
}

/** The list of one kind, newest first. */
export class TimeList<Record extends ListedRecord> {
  readonly #reading: MongoReading;
  readonly #spec: DocumentSpec<Record>;
  readonly #list: StoredList;
  readonly #slowWalks: SlowWalks;

  constructor(reading: MongoReading, spec: DocumentSpec<Record>, list: StoredList) {
    this.#reading = reading;
    this.#spec = spec;
    this.#list = list;
    this.#slowWalks = new SlowWalks(reading.clock);
  }

  /** A full page, unless it is the last: where documents cannot be used, the next ones take their place. */
  page(question: ListQuestion, context: ReadContext): Promise<TimePage<Record>> {
    const limit = question.query.limit + 1;
    return this.#reading.run(context, async (options) => {
      const records: Record[] = [];
      let after = question.query.after;
      for (;;) {
        const found = await this.#find(question, after, limit, options);
        records.push(...recordsOf(this.#spec, found, this.#reading.monitor));
        if (records.length >= limit || found.documents.length < limit) return pageOf(records.slice(0, limit), question.query.limit, positionOf);
        after = this.#positionOf(found.documents.at(-1)) ?? after;
      }
    });
  }

  async #find(question: ListQuestion, after: TimePosition | null, limit: number, options: OperationOptions): Promise<FoundDocuments> {
    const { approved, query, values, also } = question;
    const filter = { ...listFilter(this.#list, query, after, values), ...(also === undefined ? {} : { $and: [also] }) };
    const page = { ...options, limit, batchSize: limit, sort: { [this.#list.time]: -1, _id: 1 } as const };
    const collection = this.#reading.collections.of(this.#list.collection);
    if (approved === null) return findDocuments(collection, filter, { ...page, hint: planList(this.#list, 0, values).hint });
    return this.#findScoped(approved, filter, page, values);
  }

  async #findScoped(approved: ApprovedRepositories, filter: Filter<StoredDocument>, page: PageOptions, values: FieldValues): Promise<FoundDocuments> {
    const scoped = new ScopedCollection(this.#reading.collections.of(this.#list.collection));
    const plan = planList(this.#list, scoped.scopeCount(approved), values);
    if (!plan.isTimeLed) return scoped.find(approved, filter, { ...page, hint: plan.hint });
    const walk = JSON.stringify([approved.revision, ...values]);
    if (!this.#slowWalks.has(walk)) {
      try {
        return await scoped.find(approved, filter, { ...page, hint: plan.hint, maxTimeMS: MAX_WALK_MS });
      } catch (error) {
        if (!(error instanceof MongoServerError && error.code === MAX_TIME_EXPIRED)) throw error;
        this.#slowWalks.add(walk);
      }
    }
    return this.#findInParts(scoped, approved, filter, { ...page, hint: repositoryLedHint(this.#list, values) }, plan.scopesAtOnce);
  }

  async #findInParts(
    scoped: ScopedCollection,
    approved: ApprovedRepositories,
    filter: Filter<StoredDocument>,
    page: PageOptions,
    size: number,
  ): Promise<FoundDocuments> {
    const parts = Math.ceil(scoped.scopeCount(approved) / size);
    const found = await Promise.all(Array.from({ length: parts }, (_, index) => scoped.find(approved, filter, page, { from: index * size, size })));
    const documents = found.flatMap((part) => part.documents).sort((a, b) => this.#compare(a, b));
    return { documents: documents.slice(0, page.limit), damaged: new Set(found.flatMap((part) => [...part.damaged])) };
  }

  #compare(a: Document, b: Document): number {
    const [left, right] = [this.#positionOf(a), this.#positionOf(b)];
    return left === null || right === null ? 0 : right.time - left.time || compareText(left.id, right.id);
  }

  /** The filter lets only documents through whose time is a date and whose id is text. */
  #positionOf(document: Document | undefined): TimePosition | null {
    const time: unknown = document?.[this.#list.time];
    const id: unknown = document?.['_id'];
    return time instanceof Date && typeof id === 'string' ? { time: time.getTime(), id } : null;
  }
}

interface PageOptions extends OperationOptions {
  readonly limit: number;
  readonly batchSize: number;
  readonly sort: Readonly<Record<string, 1 | -1>>;
  readonly hint?: Readonly<Record<string, 1 | -1>>;
}
