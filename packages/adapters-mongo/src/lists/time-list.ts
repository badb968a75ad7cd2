import { comparePositions, EARLIEST_INSTANT, holdsEmail, inParts, pageOf, positionOf, SECOND } from '@vitrine/core';
import type {
  ApprovedRepositories,
  AskedFilter,
  Instant,
  ListedKind,
  PageQuestion,
  RecordOf,
  RecordTables,
  ScopeRef,
  TimeListQuery,
  TimePosition,
} from '@vitrine/core';
import { type Document, type Filter, MongoServerError } from 'mongodb';
import { damagedDocument, type StoredDocument } from '../documents/codec.js';
import { authorKeys, DOCUMENTS, type DocumentSpec } from '../documents/documents.js';
import { findDocuments, type MongoReading, type OperationOptions, ScopedCollection } from '../reading/mongo-reading.js';
import { type FieldValues, type ListPlan, LISTS, MAX_MERGED_SCANS, newestOfEach, planList, type StoredList } from './stored-lists.js';

/** Reads pages of lists. Only the last page of a list may be shorter: the next documents replace those that cannot be decoded. */
export function timeLists(reading: MongoReading): RecordTables['page'] {
  const lists = new TimeLists(reading);
  return (question, context) => {
    const { query, isShown = () => true } = question;
    const [limit, list] = [query.limit + 1, LISTS[question.kind]];
    const spec: DocumentSpec<RecordOf<typeof question.kind>> = DOCUMENTS[question.kind];
    // The server leaves out the fields that exist only for indexes, except the time by which the list is sorted. That is faster than to decode and drop them here.
    const unread = spec.derived.filter((name) => name !== list.time);
    const form = { limit, sort: { [list.time]: -1, _id: 1 }, projection: Object.fromEntries(unread.map((name) => [name, 0 as const])) } as const;
    return reading.run(context, async (options) => {
      const records: RecordOf<typeof question.kind>[] = [];
      for (let { after } = query; ;) {
        const found = await lists.find(question, after, { ...options, ...form });
        records.push(...reading.records(spec, found).filter(isShown));
        if (records.length >= limit || found.length < limit) return pageOf(records.slice(0, limit), query.limit, positionOf);
        after = positionBehind(after, positionIn(list, found.at(-1)));
      }
    });
  };
}

/** Always later than before. An id that is not UTF-8 is read as another text than the stored one, and could lead back to the same documents. Then the rest of that instant is skipped. */
function positionBehind(before: TimePosition | null, last: TimePosition | null): TimePosition | null {
  if (before === null || (last !== null && comparePositions(before, last) < 0)) return last;
  return { time: before.time - 1, id: '' };
}

/** How long a way is skipped after it was too slow. Perhaps there are too many hidden records between the approved ones; perhaps the server was only busy. */
const SKIPPED_MS = 5 * SECOND;
const MAX_TIME_EXPIRED = 50;
/** If most records are approved, a scan by time takes 1 to 3 ms. If not, this limit is lost time, but hardly more than the next way takes. */
const MAX_WALK_MS = 15;
/** Many repositories and values of a filter make up to a hundred parts, and other requests need connections, too. */
const PARTS_AT_ONCE = 8;

/** The documents of a list. If it has more scopes than one query can merge, it tries three ways to read the same page, each for cases in which the previous one is slow. */
class TimeLists {
  readonly #skippedUntil = new Map<string, Instant>();

  constructor(private readonly reading: MongoReading) {}

  async find({ kind, approved, query, filters }: AnyQuestion, after: TimePosition | null, options: PageOptions): Promise<Document[]> {
    const list = LISTS[kind];
    const collection = this.reading.collections.of(list.collection);
    const values = fieldValues(list, filters);
    const filter = listFilter(list, query, after, values);
    const plan = planList(list, approved?.scopes.length ?? 0, values);
    if (approved === null) return findDocuments(collection, filter, { ...options, hint: plan.timeLed });
    const records = new ScopedCollection(collection);
    if (!plan.isTimeLed) return records.find(approved, filter, { ...options, hint: plan.repositoryLed });
    const page = { list, records, approved, filter, plan, options };
    return (await this.#byTime(page)) ?? (await this.#amongFirst(page)) ?? (await this.#inParts(page));
  }

  /** Scans the index that starts with the time, and skips all hidden records. */
  #byTime({ list, records, approved, filter, plan, options }: ListPage): Promise<Document[] | null> {
    const limited = { ...options, hint: plan.timeLed, maxTimeMS: MAX_WALK_MS };
    return this.#tried(`time ${list.collection} ${String(plan.leading)}`, () => records.find(approved, filter, limited));
  }

  /** Reads only the few scopes with the newest records. All records of other scopes come later in the list. */
  async #amongFirst(page: ListPage): Promise<Document[] | null> {
    const { list, records, approved, filter, plan, options } = page;
    if (!plan.isSeekable) return null;
    const firsts = await this.#tried(`first ${list.collection} ${String(plan.leading)}`, () => firstRecords(page));
    if (firsts === null) return null;
    const scopes = firsts.map(({ scope }) => scope);
    const found = await records.find(approved, filter, { ...options, hint: plan.repositoryLed }, scopes);
    return this.#isWhole(page, firsts, found) ? found : null;
  }

  /** The result of a way with a time limit; `null` if the limit was exceeded, or if the way is skipped at the moment. */
  async #tried<Found>(way: string, read: () => Promise<Found>): Promise<Found | null> {
    if (this.reading.clock.now() < (this.#skippedUntil.get(way) ?? 0)) return null;
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof MongoServerError && error.code === MAX_TIME_EXPIRED)) throw error;
      this.#skippedUntil.set(way, this.reading.clock.now() + SKIPPED_MS);
      return null;
    }
  }

  /** Whether the page is complete. Many first records can have the same time as the position before the page. Then a scope that was not read could also have a record on the page. */
  #isWhole(page: ListPage, firsts: readonly FirstOfScope[], documents: readonly Document[]): boolean {
    const [lastFirst, last] = [firsts.at(-1), positionIn(page.list, documents.at(-1))];
    if (lastFirst === undefined || firsts.length < countOfFirsts(page)) return true;
    return last !== null && documents.length === page.options.limit && comparePositions(last, lastFirst.position) <= 0;
  }

  /** Merges parts of the scopes, of which each is small enough. Only the positions of each part are read, from the index alone, and then the records of the page. */
  async #inParts(page: ListPage, isRepeated = false): Promise<Document[]> {
    const { list, records, approved, filter, plan, options } = page;
    const read = { ...options, projection: { [list.time]: 1 }, hint: plan.repositoryLed };
    const all: TimePosition[] = [];
    for (const parts of inParts(inParts(approved.scopes, plan.scopesAtOnce), PARTS_AT_ONCE)) {
      const found = await Promise.all(parts.map((part) => records.find(approved, filter, read, part)));
      all.push(...found.flat().flatMap((document) => positionIn(list, document) ?? []));
    }
    const positions = all.sort(comparePositions).slice(0, options.limit);
    const found = await records.find(approved, { _id: { $in: positions.map(({ id }) => id) } }, { ...options, hint: { _id: 1 } });
    if (found.length === positions.length) return found;
    // Most likely a record was removed in between. Without it, the page would look like the last one.
    return isRepeated ? withUnfound(found, positions, list) : this.#inParts(page, true);
  }
}

/** The found documents, and a damaged one for each position that has none: the id in the store is not UTF-8, so no query finds it. */
function withUnfound(documents: readonly Document[], positions: readonly TimePosition[], { time: field }: StoredList): Document[] {
  const found = new Map(documents.map((document) => [document['_id'] as unknown, document]));
  return positions.map(({ time, id }) => found.get(id) ?? damagedDocument({ _id: id, [field]: new Date(time) }));
}

type AnyQuestion = Pick<PageQuestion<ListedKind>, 'kind' | 'approved' | 'query' | 'filters'>;

interface PageOptions extends OperationOptions {
  readonly limit: number;
  readonly sort: Readonly<Record<string, 1 | -1>>;
  readonly projection: Readonly<Record<string, 0>>;
}

interface FirstOfScope {
  readonly scope: ScopeRef;
  readonly position: TimePosition;
}

interface ListPage {
  readonly list: StoredList;
  readonly records: ScopedCollection;
  readonly approved: ApprovedRepositories;
  readonly filter: Filter<StoredDocument>;
  readonly plan: ListPlan;
  readonly options: PageOptions;
}

/** The position of a document. The filter of a list matches only documents whose time is a date and whose id is a text. */
function positionIn({ time: field }: StoredList, document: Document | undefined): TimePosition | null {
  const { [field]: time, _id: id } = document ?? {};
  return time instanceof Date && typeof id === 'string' ? { time: time.getTime(), id } : null;
}

/** The filter of a page. The time always has two bounds: otherwise the server does not check the rest on index keys. With `$or` for `$nor`, the planner would try a second plan on every page. */
function listFilter({ time }: StoredList, { from, to }: TimeListQuery, after: TimePosition | null, values: FieldValues): Filter<StoredDocument> {
  return {
    ...Object.fromEntries([...values].map(([path, accepted]) => [path, accepted.length === 1 ? accepted[0] : { $in: accepted }])),
    [time]: { $gte: new Date(from ?? EARLIEST_INSTANT), $lte: new Date(Math.min(to, after?.time ?? to)) },
    _id: { $gt: '' },
    ...(after === null ? {} : { $nor: [{ [time]: new Date(after.time), _id: { $lte: after.id } }] }),
  };
}

/** The stored fields that filters restrict, with the accepted values. A value with an e-mail address matches nothing: a record must not be found by a value that it does not show. */
function fieldValues({ filters }: StoredList, asked: readonly AskedFilter[]): FieldValues {
  return new Map(
    asked.map(({ name, path, values }) => {
      const stored = name === 'author' ? values.flatMap((author) => authorKeys(author, author)) : values;
      return [filters[name] ?? path, stored.filter((one) => !holdsEmail(one))] as const;
    }),
  );
}

/** Time for one index seek in each scope: enough for 20,000 scopes. */
const MAX_SEEKS_MS = 100;

/** The scopes whose first records are the newest, in the order of the list: as many as {@link countOfFirsts} says, or all that have a record. Takes one index seek in each. */
async function firstRecords(page: ListPage): Promise<readonly FirstOfScope[]> {
  const { list, records, approved, plan, options } = page;
  // A seek takes only ranges of the index. So records before the position count, too.
  const { $nor: _before, ...filter } = page.filter;
  const hint = plan.repositoryLed;
  const stages = [...newestOfEach(list, hint), { $sort: { time: -1, id: 1 } }, { $limit: countOfFirsts(page) }];
  const seeks = { signal: options.signal, maxTimeMS: MAX_SEEKS_MS, hint };
  const halves = inParts(approved.scopes, Math.ceil(approved.scopes.length / 2));
  const found = await Promise.all(halves.map((half) => records.aggregate(approved, filter, stages, seeks, half)));
  const firsts = found.flat().map(firstOfScope);
  return firsts.sort((a, b) => comparePositions(a.position, b.position)).slice(0, countOfFirsts(page));
}

/** Twice the number of records on a page, because some of them may come before the page. */
function countOfFirsts({ options: { limit } }: ListPage): number {
  return Math.min(2 * limit, MAX_MERGED_SCANS);
}

/** The filter of a list matches only documents with a date and a text as id, and only requested scopes. */
function firstOfScope({ _id: scope, time, id }: Document): FirstOfScope {
  return { scope: scope as ScopeRef, position: { time: (time as Date).getTime(), id: id as string } };
}
