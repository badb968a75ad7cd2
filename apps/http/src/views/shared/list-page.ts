import { nameOfRef } from '@vitrine/core';
import { type ListData, SAMPLED_FILTERS } from '@vitrine/pages';
import type { Call, PageContext } from './context.js';
import { type ListRoute, type PageQuery, readPage } from './lists.js';
import { filtersOf, type PageCall, pageOf, type PageRoute, type PageView } from './page.js';
import { parametersOf, valueIn } from './parameters.js';

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
  const { answer, nextCursor } = await readPage(list, list, call, context);
  const { data, dataStatus, warnings, changesAt } = answer;
  return { items: data.items, address: call.addressOf(nextCursor), dataStatus, warnings, changesAt };
}
