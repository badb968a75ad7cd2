import {
  type ListedRecord,
  type Neighbours,
  neighboursOf,
  type PageAnswer,
  positionOf,
  type ReadListPage,
  type ScopedListInput,
  type TimePosition,
  type UseCaseContext,
  type WithOptionalRepository,
} from '@vitrine/core';
import type { Call } from './endpoint.js';
import { ANY } from './page.js';

/** The list in which a record has an older and a newer neighbour. */
export interface NeighbourList<Item> {
  readonly recordIn: (item: Item) => ListedRecord;
  readonly read: (item: Item, call: Pick<Call<unknown>, 'context' | 'signal'>) => ReadListPage<Item>;
}

export function readNeighbours<Item>(
  { recordIn, read }: NeighbourList<Item>,
  item: Item,
  call: Pick<Call<unknown>, 'context' | 'signal'>,
): Promise<Neighbours<Item>> {
  return neighboursOf(positionOf(recordIn(item)), (other) => positionOf(recordIn(other)), read(item, call));
}

interface RepositoryList<Item> {
  readonly execute: (input: ScopedListInput & typeof ANY, context: UseCaseContext) => Promise<PageAnswer<Item, TimePosition>>;
}

/** The list of the record's repository; of a record without one, the list of all. */
export function neighbourListOf<Item extends WithOptionalRepository<ListedRecord>>(list: RepositoryList<Item>): NeighbourList<Item> {
  return {
    recordIn: ({ record }) => record,
    read:
      ({ repository }, { context, signal }) =>
      (page) =>
        list.execute({ ...ANY, ...page, repository: repository?.fullName ?? null }, { ...context(), signal }),
  };
}
