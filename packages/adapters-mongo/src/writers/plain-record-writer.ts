import {
  FACTS,
  fieldsWhere,
  grouped,
  keyOfIdentity,
  type CallContext,
  type Clock,
  type PlainIdentity,
  type PlainRecord,
  type PutContext,
  type RepositoryRef,
  type VouchedRecord,
} from '@vitrine/core';
import type { Document } from 'mongodb';
import { ActivityWriter } from '../activity/activity-writer.js';
import { FACTS_PENDING, VOUCHERS, type CollectionName, type Collections } from '../collections.js';
import { BadValue } from '../documents/codec.js';
import { DOCUMENTS, type DocumentSpec, specOf, vouchedDocument, vouchedOf, vouchersField } from '../documents/documents.js';
import { findDocuments, type FoundDocuments, NOT_UTF_8 } from '../reading/find-documents.js';
import { storeDocuments, type Commits, type DocumentToStore, type Write } from './commits.js';
import { FactWriter } from './fact-writer.js';
import {
  batchKey,
  countedRefs,
  factChanges,
  PlainBatch,
  touchedDays,
  type PlainChange,
  type PlainItem,
  type PlainReport,
  type StoredChange,
} from './plain-batch.js';

/** How many records a source is withdrawn from at once. */
const WITHDRAWN_AT_ONCE = 1_000;

/**
 * Writes all records except checks. Derived data is written or marked first. So if a writer dies between two writes, the same call
 * completes the work.
 */
export class PlainRecordWriter {
  readonly #facts: FactWriter;
  readonly #activity: ActivityWriter;

  constructor(
    private readonly collections: Collections,
    private readonly commits: Commits,
    clock: Clock,
  ) {
    this.#facts = new FactWriter(collections, commits, clock);
    this.#activity = new ActivityWriter(collections, commits);
  }

  /** Completes the work of an interrupted writer. */
  async settle(): Promise<void> {
    await this.#facts.settle();
    await this.#activity.settle();
  }

  async put(items: readonly PlainItem[], { source = null, filledAt }: PutContext): Promise<PlainReport> {
    const { stored, damaged } = await this.#stored(items.map(({ record }) => record));
    const batch = new PlainBatch(stored);
    const refused = items.filter(({ record }) => !batch.put(record, { source, filledAt }));
    await this.#store(batch, damaged);
    return { stored: batch.storedCount, refused: refused.map(({ index }) => ({ index, reason: 'unknown-commit' })) };
  }

  /** Resolves with the number of records that existed, and no longer do. */
  async remove(identities: readonly PlainIdentity[], { source = null }: CallContext): Promise<number> {
    return this.#withdraw(identities, await this.#stored(identities), source);
  }

  /** Withdraws a source from some of its records. Resolves with the number of records that were removed; `null` if the source has no more records. */
  async withdrawNext(source: string): Promise<number | null> {
    for (const [name, { collection }] of Object.entries<DocumentSpec>(DOCUMENTS)) {
      const kind = name as PlainRecord['kind'];
      const found = await findDocuments(this.collections.of(collection), { [`${VOUCHERS}.source`]: source }, { limit: WITHDRAWN_AT_ONCE });
      if (found.documents.length === 0) continue;
      const { stored, invalid } = decodedBy(kind, found);
      const damaged = countedRefs(kind, invalid);
      const others = await this.#derived({ changes: [], damaged }, () => this.#delete(collection, invalid.map(idOf)));
      const identities = [...stored.values()].map(({ record }) => record);
      return others + (await this.#withdraw(identities, { stored, damaged: new Set() }, source));
    }
    return null;
  }

  async #withdraw(identities: readonly PlainIdentity[], { stored, damaged }: StoredVersions, source: string | null): Promise<number> {
    const batch = new PlainBatch(stored);
    const kept = new Set([...stored].filter(([, vouched]) => batch.withdraw(vouched, source)).map(([key]) => key));
    await this.#store(batch, new Set());
    const gone = [...stored].flatMap(([key, { record }]) => (kept.has(key) ? [] : [record]));
    const changes = gone.map((record) => ({ record, stored: record }));
    return this.#derived({ changes, damaged }, async () => {
      let count = 0;
      // Invalid documents are removed too.
      const left = identities.filter((identity) => !kept.has(batchKey(identity)));
      for (const [kind, keys] of keysByKind(left)) count += await this.#delete(specOf(kind).collection, [...keys]);
      return count;
    });
  }

  async #delete(collection: CollectionName, ids: readonly string[]): Promise<number> {
    return ids.length === 0 ? 0 : this.commits.commit((into) => into(collection).remove({ _id: { $in: [...ids] } }));
  }

  async #store(batch: PlainBatch, damaged: ReadonlySet<RepositoryRef>): Promise<void> {
    const { changes, revouched } = batch;
    for (const [name, vouched] of grouped(revouched, collectionOf)) await this.commits.write(name, vouched.map(vouching));
    if (changes.length === 0) return;
    await this.#derived({ changes, damaged }, async () => {
      const repositories = changes.filter(isOfRepository);
      await this.commits.write('repositories', repositories.map(repositoryWrite));
      const others = changes.filter((change) => !isOfRepository(change));
      if (others.length > 0) await storeDocuments(this.commits, documentsOf(others));
    });
  }

  /** Runs the change, and updates the facts that are derived from commits and releases. */
  #derived<Result>({ changes, damaged }: PlannedChanges, change: () => Promise<Result>): Promise<Result> {
    return this.#activity.during(touchedDays(changes), damaged, () => this.#facts.during(factChanges(changes), change));
  }

  async #stored(identities: readonly PlainIdentity[]): Promise<StoredVersions> {
    const stored = new Map<string, VouchedRecord>();
    const damaged = new Set<RepositoryRef>();
    for (const [kind, keys] of keysByKind(identities)) {
      const found = await findDocuments(this.collections.of(specOf(kind).collection), { _id: { $in: [...keys] } });
      const { stored: versions, invalid } = decodedBy(kind, found);
      for (const [key, vouched] of versions) stored.set(key, vouched);
      // An invalid document counts as missing, and is overwritten.
      for (const ref of countedRefs(kind, invalid)) damaged.add(ref);
    }
    return { stored, damaged };
  }
}

/** The stored versions of records. */
interface StoredVersions {
  /** By {@link batchKey}. */
  readonly stored: ReadonlyMap<string, VouchedRecord>;
  /** The repositories of commits and releases whose stored version is invalid. */
  readonly damaged: ReadonlySet<RepositoryRef>;
}

interface PlannedChanges extends Pick<StoredVersions, 'damaged'> {
  readonly changes: readonly StoredChange[];
}

interface DecodedRecords extends Pick<StoredVersions, 'stored'> {
  /** The documents that cannot be decoded. */
  readonly invalid: readonly Document[];
}

function decodedBy(kind: PlainRecord['kind'], { documents, damaged }: FoundDocuments): DecodedRecords {
  const stored = new Map<string, VouchedRecord>();
  const invalid: Document[] = [];
  for (const document of documents) {
    const vouched = damaged.has(document) ? NOT_UTF_8 : vouchedOf(kind, document);
    if (vouched instanceof BadValue) invalid.push(document);
    else stored.set(batchKey(vouched.record), vouched);
  }
  return { stored, invalid };
}

function idOf(document: Document): string {
  return String(document['_id']);
}

/** Writes only which sources vouch. */
function vouching(vouched: VouchedRecord): Write {
  return { updateOne: { filter: { _id: keyOfIdentity(vouched.record) }, update: { $set: vouchersField(vouched) } } };
}

function collectionOf({ record }: Pick<VouchedRecord, 'record'>): CollectionName {
  return specOf(record.kind).collection;
}

function documentsOf(changes: readonly PlainChange[]): ReadonlyMap<CollectionName, readonly DocumentToStore[]> {
  const document = ({ vouched, stored }: PlainChange): DocumentToStore => ({ document: vouchedDocument(vouched), isNew: stored === null });
  return new Map([...grouped(changes, collectionOf)].map(([name, own]) => [name, own.map(document)]));
}

/** A field that no source states any more is removed, because only the facts may stay. */
const OPTIONAL_FIELDS = fieldsWhere(FACTS.repository, ({ optional }) => optional === true);

/** Keeps the stored facts of a repository, and marks it, because its facts must be derived again. */
function repositoryWrite({ vouched }: PlainChange): Write {
  const { _id, ...fields } = vouchedDocument(vouched);
  const absent = OPTIONAL_FIELDS.filter((name) => !Object.hasOwn(fields, name));
  const $unset = absent.length === 0 ? {} : { $unset: Object.fromEntries(absent.map((name) => [name, 1 as const])) };
  return { updateOne: { filter: { _id }, update: { $set: { ...fields, [FACTS_PENDING]: true }, ...$unset }, upsert: true } };
}

function isOfRepository({ record }: PlainChange): boolean {
  return record.kind === 'repository';
}

function keysByKind(identities: readonly PlainIdentity[]): ReadonlyMap<PlainRecord['kind'], ReadonlySet<string>> {
  return new Map([...grouped(identities, ({ kind }) => kind)].map(([kind, own]) => [kind, new Set(own.map(keyOfIdentity))]));
}
