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
import { findBytes } from '../reading/find-documents.js';
import { lenient, Meanings } from '../reading/meanings.js';
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
  readonly #meanings: Meanings<Record>;
  readonly #list: StoredList;
  readonly #slowWalks: SlowWalks;

  constructor(reading: MongoReading, spec: DocumentSpec<Record>, list: StoredList) {
    this.#reading = reading;
    this.#meanings = new Meanings(spec.kind, reading.monitor, (document) => spec.toRecord(document));
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
        records.push(...this.#meanings.of(found));
        if (records.length >= limit || found.length < limit) return pageOf(records.slice(0, limit), question.query.limit, positionOf);
        after = this.#positionOf(found.at(-1)) ?? after;
      }
    });
  }

  async #find(question: ListQuestion, after: TimePosition | null, limit: number, options: OperationOptions): Promise<readonly Uint8Array[]> {
    const { approved, query, values, also } = question;
    const filter = { ...listFilter(this.#list, query, after, values), ...(also === undefined ? {} : { $and: [also] }) };
    const page = { ...options, limit, batchSize: limit, sort: { [this.#list.time]: -1, _id: 1 } as const };
    const collection = this.#reading.collections.of(this.#list.collection);
    if (approved === null) return findBytes(collection, filter, { ...page, hint: planList(this.#list, 0, values).hint });
    return this.#findScoped(approved, filter, page, values);
  }

  async #findScoped(
    approved: ApprovedRepositories,
    filter: Filter<StoredDocument>,
    page: PageOptions,
    values: FieldValues,
  ): Promise<readonly Uint8Array[]> {
    const scoped = new ScopedCollection(this.#reading.collections.of(this.#list.collection));
    const plan = planList(this.#list, scoped.scopeCount(approved), values);
    if (!plan.isTimeLed) return scoped.findBytes(approved, filter, { ...page, hint: plan.hint });
    const walk = JSON.stringify([approved.revision, ...values]);
    if (!this.#slowWalks.has(walk)) {
      try {
        return await scoped.findBytes(approved, filter, { ...page, hint: plan.hint, maxTimeMS: MAX_WALK_MS });
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
  ): Promise<readonly Uint8Array[]> {
    const { scopes } = approved;
    const parts = Array.from({ length: Math.ceil(scopes.length / size) }, (_, index) => scopes.slice(index * size, (index + 1) * size));
    const found = await Promise.all(parts.map((part) => scoped.findBytes(approved, filter, page, part)));
    const placed = found.flat().map((bytes) => ({ bytes, position: this.#positionOf(bytes) }));
    return placed
      .sort((a, b) => compare(a.position, b.position))
      .slice(0, page.limit)
      .map(({ bytes }) => bytes);
  }

  /** The filter lets only documents through whose time is a date and whose id is text. */
  #positionOf(bytes: Uint8Array | undefined): TimePosition | null {
    if (bytes === undefined) return null;
    const { [this.#list.time]: time, _id: id }: Document = lenient(bytes);
    return time instanceof Date && typeof id === 'string' ? { time: time.getTime(), id } : null;
  }
}

function compare(left: TimePosition | null, right: TimePosition | null): number {
  return left === null || right === null ? 0 : right.time - left.time || compareText(left.id, right.id);
}

interface PageOptions extends OperationOptions {
  readonly limit: number;
  readonly batchSize: number;
  readonly sort: Readonly<Record<string, 1 | -1>>;
  readonly hint?: Readonly<Record<string, 1 | -1>>;
}
