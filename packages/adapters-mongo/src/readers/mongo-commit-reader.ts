import {
  acceptedValues,
  type ApprovedRepositories,
  type Commit,
  type CommitReader,
  type ListQuery,
  type ReadContext,
  type TimePage,
} from '@vitrine/core';
import { fieldValues } from '../lists/field-values.js';
import { LISTS } from '../lists/stored-lists.js';
import { TimeList } from '../lists/time-list.js';
import { recordsOf } from '../reading/decoding.js';
import type { FoundDocuments } from '../reading/find-documents.js';
import type { MongoReading } from '../reading/mongo-reading.js';
import { ScopedCollection } from '../reading/scoped-collection.js';
import { DOCUMENTS, authorFilter } from '../documents/record-documents.js';

/** As many as tell a caller that a prefix is ambiguous. */
const MAX_SHAS = 2;
/** Beyond every hexadecimal digit. */
const AFTER_DIGITS = 'g';
/** Forks share commits; of one sha at most so many are looked at, in the order of their names. */
const MAX_FORKS = 64;

type ShaRange = { readonly $gte: string; readonly $lt: string } | { readonly $gt: string; readonly $lt: string };

export class MongoCommitReader implements CommitReader {
  readonly #reading: MongoReading;
  readonly #list: TimeList<Commit>;

  constructor(reading: MongoReading) {
    this.#reading = reading;
    this.#list = new TimeList(reading, DOCUMENTS.commit, LISTS.commit);
  }

  list(approved: ApprovedRepositories, query: ListQuery<'commit'>, context: ReadContext): Promise<TimePage<Commit>> {
    const { author, changeType, branch } = query;
    const authors = acceptedValues(author)?.flatMap(authorFilter) ?? null;
    const values = fieldValues(LISTS.commit, { author: authors, changeType, branch });
    return this.#list.page({ approved, query, values }, context);
  }

  /** Ordered by sha, then by repository, so that of each sha the first one counts. */
  async bySha(approved: ApprovedRepositories, prefix: string, context: ReadContext): Promise<readonly Commit[]> {
    const shas = new Map<string, Commit>();
    let range: ShaRange = { $gte: prefix, $lt: prefix + AFTER_DIGITS };
    for (;;) {
      const found = await this.#ofSha(approved, range, context);
      for (const commit of recordsOf(DOCUMENTS.commit, found, this.#reading.monitor)) if (!shas.has(commit.sha)) shas.set(commit.sha, commit);
      const last: unknown = found.documents.at(-1)?.['sha'];
      if (shas.size >= MAX_SHAS || found.documents.length < MAX_FORKS || typeof last !== 'string') return [...shas.values()].slice(0, MAX_SHAS);
      range = { $gt: last, $lt: prefix + AFTER_DIGITS };
    }
  }

  #ofSha(approved: ApprovedRepositories, sha: ShaRange, context: ReadContext): Promise<FoundDocuments> {
    const scoped = new ScopedCollection(this.#reading.collections.of('commits'));
    const page = { limit: MAX_FORKS, sort: { sha: 1, repositoryRef: 1 }, hint: { sha: 1, repositoryRef: 1 } } as const;
    return this.#reading.run(context, (options) => scoped.find(approved, { sha }, { ...options, ...page }));
  }
}
