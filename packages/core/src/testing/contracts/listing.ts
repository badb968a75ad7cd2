import { comparePositions, positionOf, scopeOf } from '../../kinds/identity.js';
import type { Instant } from '../../kinds/instant.js';
import type { ListedRecord } from '../../kinds/kinds.js';
import { acceptedValues, type TimePosition } from '../../kinds/page.js';
import { NO_REPOSITORY, type ScopeRef } from '../../kinds/repository-name.js';
import type { TimeListQuery, TimePage } from '../../ports/readers.js';
import { Allowlist, type ApprovedRepositories } from '../../rules/allowlist.js';
import { NOW } from '../builders.js';
import { assert, assertSame } from '../contract.js';
import type { OpenedKinds } from '../kind-store.js';
import type { FilterValues, ListSpec } from '../list-specs.js';
import { Random } from '../random.js';

/** The allowlist in the suites for lists. All other repositories are hidden. */
export const APPROVED = Allowlist.of('acme/widget', 'Acme/Gadget').approved();

/** The list of one kind in an open store. */
export interface Listing {
  readonly spec: ListSpec;
  readonly store: OpenedKinds;
}

/** The query without the page. By default it selects everything up to now. */
export interface Asked {
  readonly approved?: ApprovedRepositories;
  readonly from?: Instant | null;
  readonly to?: Instant;
  readonly filters?: FilterValues;
}

/** A record that depends only on the arguments, not on the seed of the random cases. */
export function fixedRecord(spec: ListSpec, scope: ScopeRef, time: Instant, serial: number): ListedRecord {
  return spec.make(new Random(serial), spec.scopes === 'none' ? NO_REPOSITORY : scope, time, serial);
}

export function readPage(
  { spec, store }: Listing,
  page: Pick<TimeListQuery, 'limit' | 'after'>,
  { approved = APPROVED, from = null, to = NOW, filters = {} }: Asked = {},
): Promise<TimePage<ListedRecord>> {
  return spec.list(store.readers, approved, { ...page, from, to }, filters, store.context);
}

/** Reads every page to the end, as a client does, and checks what must be true of each page. */
export async function everyPage(
  listing: Listing,
  asked: Asked,
  nextLimit: () => number,
  between: () => Promise<void> = () => Promise.resolve(),
): Promise<ListedRecord[][]> {
  const pages: ListedRecord[][] = [];
  let after: TimePosition | null = null;
  do {
    const limit = nextLimit();
    const page: TimePage<ListedRecord> = await readPage(listing, { limit, after }, asked);
    assert(page.items.length <= limit, `expected at most ${String(limit)} items on a page, found ${String(page.items.length)}`);
    if (page.next !== null) assertSame(page.items.length, limit, 'the length of a page that has a next one');
    pages.push([...page.items]);
    after = page.next;
    await between();
  } while (after !== null && pages.length < 5_000);
  return pages;
}

/** The approved records, in the order of their list. */
export function visible(spec: ListSpec, records: readonly ListedRecord[], approved = APPROVED): ListedRecord[] {
  return records
    .filter((record) => spec.scopes === 'none' || approved.admits(scopeOf(record)))
    .sort((a, b) => comparePositions(positionOf(a), positionOf(b)));
}

export function matches(spec: ListSpec, record: ListedRecord, filters: FilterValues): boolean {
  return Object.entries(filters).every(([name, value]) => {
    const accepted = acceptedValues(value);
    return accepted === null || spec.filters[name]?.(record).some((own) => accepted.includes(own)) === true;
  });
}

/** The keys of records in their order, for failure messages. */
export function positionsOf(records: readonly ListedRecord[]): string[] {
  return records.map((record) => `${String(positionOf(record).time)} ${positionOf(record).id}`);
}
