import { combinedStatus, compareText, earliestOf, nameOfRef, NotFoundError, SOURCE_DEADLINE_MS, UnavailableError, unreadable } from '@vitrine/core';
import type { Answer, Deadlines, Instant, Page, Warning } from '@vitrine/core';
import { type Currency, type ListAddress, type ListData, type Pages, SAMPLED_FILTERS } from '@vitrine/pages';
import type { PathValues } from '../../serving/router.js';
import { type ListRoute, type PageQuery, readPage } from './lists.js';
import { parametersOf, type Query, valueIn } from './parameters.js';
import { cursorOf, questionsOf } from './parse-query.js';
import { type ApiRoute, type Call, documentOf, type DocumentRoute, HTML, type PageContext } from './route.js';

/** A page, and the endpoint that answers the same as JSON. */
export interface PageRoute<Q extends Query = Query, Endpoint extends ApiRoute<Q> = ApiRoute<Q>> extends DocumentRoute<Q, PageContext> {
  readonly endpoint: Endpoint;
}

/** How current a page is, and when it changes by time alone. */
export type PageCurrency = Currency & { readonly changesAt: Instant | null };

export interface PageCall<Q> extends Call<Q> {
  /** Where the page, its JSON and the other pages of a list are. */
  readonly addressOf: (nextCursor: string | null) => ListAddress;
}

/** What a page reads, and how it is drawn. */
export interface PageView<Q, Data> {
  /** @returns what the page shows; with its currency only if that is not the one of its parts */
  readonly read: (call: PageCall<Q>, parts: PageParts, context: PageContext) => Promise<Data>;
  readonly draw: (pages: Pages) => (data: Data & PageCurrency) => Promise<string>;
  readonly shows?: (data: Data) => unknown;
  /** For data that speak of the present moment: the same page with the same data at a later one. */
  readonly again?: (pages: Pages, data: Data & PageCurrency, now: Instant) => string;
}

const API_PREFIX = /^\/api\/v1(?:\/development)?/;
const pagePathOf = ({ path }: Pick<ApiRoute, 'path'>): string => path.replace(API_PREFIX, '');

/** A page. By default its path is the one of the endpoint without `/api/v1` and `/development`. */
export function pageOf<Q extends Query, Data extends object, Endpoint extends ApiRoute<Q> = ApiRoute<Q>>(
  endpoint: Endpoint & ApiRoute<Q>,
  { read, draw, shows, again }: PageView<Q, Data>,
  { path = pagePathOf(endpoint), ...differences }: Partial<Pick<DocumentRoute, 'path' | 'shows' | 'vary'>> = {},
): PageRoute<Q, Endpoint> {
  const addressOf = addressesOf(endpoint, path);
  const document = documentOf<Q, PageContext>(endpoint, {
    type: HTML,
    path,
    ignores: ['include'],
    ...differences,
    // The parts of a page have 1 s each, which is all that some endpoints have: without more time, the page would fail with one of its parts.
    budgetMs: null,
    answer: async (call, context) => {
      const { pages, deadlines } = context;
      const parts = new PageParts(deadlines, call.signal);
      const found = await read({ ...call, addressOf: (next) => addressOf(call.query, call.params, next) }, parts, context);
      const data = { ...parts.currency, ...found };
      const { dataStatus, warnings, changesAt } = data;
      return {
        ...{ dataStatus, warnings, changesAt, text: () => draw(pages)(data) },
        ...(shows && { shows: shows(found) }),
        ...(again && { again: (now) => again(pages, data, now) }),
      };
    },
  });
  return { ...document, endpoint };
}

/** Where a page, the endpoint that answers the same as JSON, and the other pages of its list are. */
export function addressesOf<Q extends Query>(
  endpoint: ApiRoute<Q>,
  path: string = pagePathOf(endpoint),
): (query: Q, params: PathValues, nextCursor: string | null) => ListAddress {
  const [page, json] = [questionsOf({ ...endpoint, path }), questionsOf(endpoint)];
  return (query, params, nextCursor) => {
    const { address, pageAt } = page(query, params);
    return {
      path: address.target,
      json: json(query, params).address.target,
      next: nextCursor === null ? null : pageAt(nextCursor),
      first: cursorOf(query) === null ? null : pageAt(null),
    };
  };
}

export function filtersOf<Q extends Query>(queryClass: new () => Q): (query: Q) => Readonly<Record<string, string>> {
  const filters = parametersOf(queryClass).filter(({ name }) => name !== 'cursor' && name !== 'limit');
  return (query) =>
    Object.fromEntries(
      filters.flatMap(({ name, write }) => {
        const value = valueIn(query, name);
        return value === null ? [] : [[name, typeof value === 'string' ? value : write(value)]];
      }),
    );
}

/** What an answer says of its currency if its data cannot be late, or if a page has said already how current they are. */
export const FRESH = { dataStatus: 'fresh', warnings: [], changesAt: null } as const;

/** What a call finds; `null` for a record that is not there, such as one that has been removed since another named it. */
export function foundOrNull<Found>(call: Promise<Found>): Promise<Found | null> {
  return call.catch((error: unknown) => {
    if (error instanceof NotFoundError) return null;
    throw error;
  });
}

/** Reads the parts of a page side by side, each in its own time. A part that fails is missing, and the page says so. */
export class PageParts {
  readonly #answers: Answer<unknown>[] = [];
  readonly #failed = new Set<string>();

  constructor(
    private readonly deadlines: Deadlines,
    private readonly signal: AbortSignal,
  ) {}

  /** The data of the main part of the page. Rejects if it cannot be read: without it there is no page. */
  async need<Data>(call: (signal: AbortSignal) => Promise<Answer<Data>>): Promise<Data> {
    const answer = await call(this.signal);
    this.#answers.push(answer);
    return answer.data;
  }

  /**
   * The data of a part; `null` when it cannot be read in time.
   *
   * @param name the kind of its records, for the notice
   */
  async read<Data>(name: string, call: (signal: AbortSignal) => Promise<Answer<Data>>): Promise<Data | null> {
    try {
      const answer = await this.deadlines.run(SOURCE_DEADLINE_MS, this.signal, call);
      this.#answers.push(answer);
      return answer.data;
    } catch (error) {
      if (error instanceof NotFoundError) throw error;
      this.#failed.add(name);
      return null;
    }
  }

  /** The items of a list that is a part. */
  async readItems<Item>(name: string, call: (signal: AbortSignal) => Promise<Answer<Page<Item, unknown>>>): Promise<readonly Item[] | null> {
    return (await this.read(name, call))?.items ?? null;
  }

  /** Like `read`, for data that say nothing about how current the page is. */
  readAside<Data>(name: string, call: (signal: AbortSignal) => Promise<Data>): Promise<Data | null> {
    return this.read(name, async (signal) => ({ ...FRESH, data: await call(signal) }));
  }

  /** What the call gives; `fallback` when it fails or takes too long. The page is complete without it, so no notice says that. */
  async readQuietly<Result>(fallback: Result, call: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    return this.deadlines.run(SOURCE_DEADLINE_MS, this.signal, call).catch(() => fallback);
  }

  /** Throws an `UnavailableError` when no part could be read. To be called when all have been. */
  requireSome(): void {
    if (this.#answers.length === 0) throw new UnavailableError();
  }

  /** How current the parts are, and when the first of them changes by time alone. */
  get currency(): Currency & { readonly changesAt: Instant | null } {
    const missing = [...this.#failed].sort().map(unreadable);
    const filled = this.#answers.filter((answer) => !isWithoutSource(answer));
    const statuses = (filled.length === 0 ? this.#answers : filled).map(({ dataStatus }) => dataStatus);
    return {
      dataStatus: combinedStatus(missing.length > 0 ? [...statuses, 'partial'] : statuses),
      warnings: [...missing, ...this.#warnings()],
      changesAt: earliestOf(this.#answers.map(({ changesAt }) => changesAt)),
    };
  }

  /** Parts of the same kind have the same warning. They are sorted, because parts end in any order. */
  #warnings(): readonly Warning[] {
    const all = this.#answers.flatMap(({ warnings }) => warnings).map((warning) => [`${warning.code} ${warning.source}`, warning] as const);
    return [...new Map(all)].sort(([a], [b]) => compareText(a, b)).map(([, warning]) => warning);
  }
}

/** Whether a list is empty because the team has no source for such records. That says nothing about the rest of a page. */
function isWithoutSource({ dataStatus, data }: Answer<unknown>): boolean {
  const items: unknown = typeof data === 'object' && data !== null ? Reflect.get(data, 'items') : null;
  return dataStatus === 'unknown' && Array.isArray(items) && items.length === 0;
}

/** The page of a list, by the cursors of the API. */
export function listPageOf<Q extends PageQuery, Item, Position>(
  list: ListRoute<Q, Item, Position>,
  draw: PageView<Q, ListData<Item>>['draw'],
): PageRoute<Q, ListRoute<Q, Item, Position>> {
  const [filters, sampleOf] = [filtersOf(list.query), sampleReader(list)];
  return pageOf<Q, ListData<Item>, ListRoute<Q, Item, Position>>(list, {
    read: async (call, _parts, context) => {
      const [found, sample] = await Promise.all([readList(list, call, context), sampleOf(call, context)]);
      return { ...found, filters: filters(call.query), known: { repository: repositoriesOf(call) }, sample };
    },
    draw,
    shows: ({ items, sample }) => [items, sample],
  });
}

const SAMPLE = 100;
/** The filters that the sample keeps: who narrows the list finds the values of older records. */
const NARROWING = ['repository', 'from', 'to'] as const;

/** Reads the newest records in the range of a request, whose values the other filters of the page offer. */
function sampleReader<Q extends PageQuery, Item, Position>({ query: queryClass, execute }: ListRoute<Q, Item, Position>) {
  const isNeeded = parametersOf(queryClass).some(({ name }) => SAMPLED_FILTERS.has(name));
  return async (call: Call<Q>, context: PageContext): Promise<readonly Item[]> => {
    if (!isNeeded) return [];
    const kept = NARROWING.map((name) => [name, valueIn(call.query, name) ?? undefined]);
    const query: Q = Object.assign(new queryClass(), Object.fromEntries(kept) as object);
    return (await execute({ limit: SAMPLE, after: null }, { ...call, query }, context)).data.items;
  };
}

/** The approved repositories, for a filter. An answer is made again when they change. */
function repositoriesOf(call: Call<unknown>) {
  return [...new Set(call.context().approved.refs.map(nameOfRef))].sort().map((value) => ({ value, label: value }));
}

export async function readList<Q extends PageQuery, Item, Position>(list: ListRoute<Q, Item, Position>, call: PageCall<Q>, context: PageContext) {
  const { answer, nextCursor } = await readPage(list.id, list, call, context);
  const { data, dataStatus, warnings, changesAt } = answer;
  return { items: data.items, address: call.addressOf(nextCursor), dataStatus, warnings, changesAt };
}
