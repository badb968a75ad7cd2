import {
  isListedKind,
  isSearchable,
  LATEST_INSTANT,
  NO_REPOSITORY,
  SEARCHED_KINDS,
  type ApprovedRepositories,
  type ListedKind,
  type Page,
  type ReadContext,
  type RecordScan,
  type RecordTables,
  type ScanQuery,
  type SearchableRecord,
  type TimePosition,
} from '@vitrine/core';
import type { Document, Filter } from 'mongodb';
import type { StoredDocument } from '../documents/codec.js';
import { specOf } from '../documents/documents.js';
import { recordTables } from '../readers/record-readers.js';
import { aggregateDocuments, findDocuments, type FoundDocuments, recordsOf } from '../reading/find-documents.js';
import type { MongoReading } from '../reading/mongo-reading.js';

type Kind = SearchableRecord['kind'];

/** Their records belong to no repository, and have no field for it. */
const UNSCOPED: ReadonlySet<Kind> = new Set(['incident', 'news', 'service']);

/** Reads the records of a search index. */
export class MongoRecordScan implements RecordScan {
  readonly #tables: RecordTables;

  constructor(private readonly reading: MongoReading) {
    this.#tables = recordTables(reading);
  }

  async page(approved: ApprovedRepositories, query: ScanQuery, context: ReadContext): Promise<Page<SearchableRecord, TimePosition>> {
    const { kind, limit, after } = query;
    if (!isReadable(approved, kind)) return { items: [], next: null };
    if (!isListedKind(kind)) return this.#keyPage(approved, query, context);
    const range = { limit, after, from: null, to: LATEST_INSTANT };
    const question = { kind, approved: UNSCOPED.has(kind) ? null : approved, query: range, filters: [] };
    const { items, next } = await this.#tables.page<ListedKind>(question, context);
    return { items: items.filter((record) => isSearchable(record)), next };
  }

  byKeys(approved: ApprovedRepositories, kind: Kind, keys: readonly string[], context: ReadContext): Promise<readonly SearchableRecord[]> {
    if (keys.length === 0 || !isReadable(approved, kind)) return Promise.resolve([]);
    return this.reading.run(context, async (options) => {
      const filter = { ...scopeOf(approved, kind), _id: { $in: [...keys] } };
      return this.#decoded(kind, await findDocuments(this.#documentsOf(kind), filter, { ...options, hint: { _id: 1 } }));
    });
  }

  async count(approved: ApprovedRepositories, context: ReadContext): Promise<number> {
    let sum = 0;
    for (const kind of SEARCHED_KINDS) sum += await this.#countOf(approved, kind, context);
    return sum;
  }

  /** Of a kind without a time. */
  #keyPage(approved: ApprovedRepositories, { kind, limit, after }: ScanQuery, context: ReadContext): Promise<Page<SearchableRecord, TimePosition>> {
    return this.reading.run(context, async (options) => {
      const filter = { ...scopeOf(approved, kind), _id: { $gt: after?.id ?? '' } };
      const found = await findDocuments(this.#documentsOf(kind), filter, { ...options, sort: { _id: 1 }, limit, hint: { _id: 1 } });
      const last: unknown = found.documents.length < limit ? null : found.documents.at(-1)?.['_id'];
      return { items: this.#decoded(kind, found), next: typeof last === 'string' ? { time: LATEST_INSTANT, id: last } : null };
    });
  }

  async #countOf(approved: ApprovedRepositories, kind: Kind, context: ReadContext): Promise<number> {
    if (!isReadable(approved, kind)) return 0;
    const stages: Document[] = [{ $match: scopeOf(approved, kind) }, { $count: 'count' }];
    const { documents } = await this.reading.run(context, (options) => aggregateDocuments(this.#documentsOf(kind), stages, options));
    return Number(documents[0]?.['count'] ?? 0);
  }

  #decoded(kind: Kind, found: FoundDocuments): readonly SearchableRecord[] {
    return recordsOf(specOf(kind), found, this.reading.monitor).filter(isSearchable);
  }

  #documentsOf(kind: Kind) {
    return this.reading.collections.of(specOf(kind).collection);
  }
}

function isReadable(approved: ApprovedRepositories, kind: Kind): boolean {
  return !UNSCOPED.has(kind) || approved.admits(NO_REPOSITORY);
}

function scopeOf(approved: ApprovedRepositories, kind: Kind): Filter<StoredDocument> {
  return UNSCOPED.has(kind) ? {} : { repositoryRef: { $in: [...approved.scopes] } };
}
