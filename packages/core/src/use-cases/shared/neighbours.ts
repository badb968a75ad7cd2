import { comparePositions } from '../../kinds/identity.js';
import { DAY, HOUR } from '../../kinds/instant.js';
import type { TimePosition } from '../../kinds/page.js';
import type { PageAnswer } from './answer.js';
import type { TimeListInput } from './records.js';

/** The records beside one in its list; `null` if there is none. */
export interface Neighbours<Item> {
  readonly older: Item | null;
  readonly newer: Item | null;
}

/** Reads a page of the list. */
export type ReadListPage<Item> = (input: TimeListInput) => Promise<PageAnswer<Item, TimePosition>>;

const START = { after: null, from: null, to: null } as const;
/** Lists are read from the newest record on, so the next newer one is the last within a span after the record. A span must not be longer than needed. */
const SPANS_MS = [6 * HOUR, 4 * DAY, 64 * DAY, null] as const;
const PAGE = 100;
const MOST_PAGES = 5;

/** Finds the next older and the next newer record. The newer one stays unknown (`null`) if several hundred records follow within a short time. */
export async function neighboursOf<Item>(
  position: TimePosition,
  positionIn: (item: Item) => TimePosition,
  read: ReadListPage<Item>,
): Promise<Neighbours<Item>> {
  const newest = (await read({ ...START, limit: PAGE })).data;
  const placeOf = (item: Item): number => comparePositions(positionIn(item), position);
  const rest = newest.items.find((item) => placeOf(item) > 0);
  // Most records that people read are among the newest ones.
  if (rest !== undefined || newest.next === null) return { older: rest ?? null, newer: newest.items.findLast((item) => placeOf(item) < 0) ?? null };
  const [older, newer] = await Promise.all([read({ ...START, limit: 1, after: position }), nextNewer(position, positionIn, read)]);
  return { older: older.data.items[0] ?? null, newer };
}

async function nextNewer<Item>(position: TimePosition, positionIn: (item: Item) => TimePosition, read: ReadListPage<Item>): Promise<Item | null> {
  const isNewer = (item: Item): boolean => comparePositions(positionIn(item), position) < 0;
  for (const span of SPANS_MS) {
    const to = span === null ? null : position.time + span;
    const found = await lastNewer(isNewer, (after) => read({ limit: PAGE, from: position.time, to, after }));
    if (found !== 'none') return found;
  }
  return null;
}

/** The last of the newer records of a list; `none`: there is none, `null`: there are too many. */
async function lastNewer<Item>(
  isNewer: (item: Item) => boolean,
  read: (after: TimePosition | null) => Promise<PageAnswer<Item, TimePosition>>,
): Promise<Item | 'none' | null> {
  let after: TimePosition | null = null;
  let found: Item | 'none' = 'none';
  for (let count = 0; count < MOST_PAGES; count++) {
    const { items, next }: PageAnswer<Item, TimePosition>['data'] = (await read(after)).data;
    const newer = items.filter(isNewer);
    found = newer.at(-1) ?? found;
    if (newer.length < items.length || next === null) return found;
    after = next;
  }
  return null;
}
