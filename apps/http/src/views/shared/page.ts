import {
  type Answer,
  combinedStatus,
  compareText,
  type Deadlines,
  earliestOf,
  type Instant,
  NotFoundError,
  SOURCE_DEADLINE_MS,
  UnavailableError,
  unreadable,
  type UseCaseContext,
  type Warning,
} from '@vitrine/core';
import type { Currency, ListAddress, PageAddress, Pages } from '@vitrine/pages';
import type { PathValues } from '../../serving/router.js';
import { questionsOf } from './parse-query.js';
import type { ViewContext } from './endpoint.js';
import { parametersOf, valueIn } from './parameters.js';
import type { Query } from './query.js';
import { type ApiRoute, documentOf, type DocumentRoute } from './route.js';

/** A page, and the endpoint that answers the same as JSON. */
export interface PageRoute<Q extends Query = Query> extends DocumentRoute<Q> {
  readonly endpoint: ApiRoute<Q>;
}

export function pageOf<Q extends Query>(endpoint: ApiRoute<Q>, differences: Partial<DocumentRoute<Q>> = {}): PageRoute<Q> {
  // The parts of a page have 1 s each, which is all that some endpoints have: without more time, the page would fail with one of its parts.
  return { ...documentOf(endpoint, { ignores: ['include'], ...differences }), budgetMs: null, endpoint };
}

/** Where a page and its JSON are. */
export function pageAddresses<Q extends Query>(route: PageRoute<Q>): (query: Q, params: PathValues) => PageAddress {
  const [page, json] = [questionsOf(route), questionsOf(route.endpoint)];
  return (query, params) => ({ path: page(query, params).address.target, json: json(query, params).address.target });
}

/** Where a page of a list, its JSON and the other pages are. */
export function listAddresses<Q extends Query>(route: PageRoute<Q>): (query: Q, params: PathValues, nextCursor: string | null) => ListAddress {
  const [addressOf, page] = [pageAddresses(route), questionsOf(route)];
  return (query, params, nextCursor) => {
    const question = page(query, params);
    const isFirst = !('cursor' in query) || query.cursor === undefined;
    const next = nextCursor === null ? null : question.pageAt(nextCursor);
    return { ...addressOf(query, params), next, first: isFirst ? null : withoutCursor(question.address.target) };
  };
}

/** The canonical address has the cursor at its end. */
function withoutCursor(target: string): string {
  return target.replace(/[?&]cursor=[\w-]*$/, '');
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

export interface PageContext extends ViewContext {
  readonly pages: Pages;
  /** Where pages lead to, which is read beside them. */
  readonly places: { readonly read: (context: UseCaseContext) => Promise<void> };
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
