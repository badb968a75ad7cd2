import { SECOND } from '../../kinds/instant.js';
import type { ListedKind, ListedRecord } from '../../kinds/kinds.js';
import { NOW } from '../builders.js';
import { type ContractCase, assert, assertSame, messageOf, namedCase } from '../contract.js';
import {
  type AnyKindOptions,
  type AnyKindStore,
  type DamageableStore,
  type KindContractOptions,
  type LosableStore,
  specsOf,
  withKinds,
} from '../kind-store.js';
import type { ListSpec } from '../list-specs.js';
import { everyPage, fixedRecord, positionsOf, readPage } from './listing.js';
import { readAlone } from './read-alone.js';

type Options<Kind extends ListedKind, Store> = Omit<KindContractOptions<Kind>, 'open' | 'seed' | 'runs'> & {
  open(...args: Parameters<KindContractOptions<Kind>['open']>): Promise<Store>;
};

/** Indexes of the newest record, some in between, and the oldest. */
const DAMAGED: ReadonlySet<number> = new Set([0, 3, 4, 5, 9]);

/** What readers promise when a stored record cannot be decoded. */
export function damagedRecordContract<Kind extends ListedKind>(options: Options<Kind, DamageableStore<Kind>>): readonly ContractCase[];
export function damagedRecordContract(
  options: AnyKindOptions<AnyKindStore & { damage(record: ListedRecord): Promise<unknown> }>,
): readonly ContractCase[] {
  return specsOf(options).map((spec) =>
    namedCase(`${spec.kind}: a damaged record is passed over, its page is filled with the next, and reading it alone gives null`, () =>
      withKinds(options, async (store, whole) => {
        assertOffers(whole, 'damage');
        const records = tenRecords(spec);
        await store.fill(records);
        for (const [index, record] of records.entries()) if (DAMAGED.has(index)) await whole.damage(record);
        const expected = positionsOf(records.filter((_, index) => !DAMAGED.has(index)));
        for (const limit of [1, 2, 3, 5, 100]) {
          const pages = await everyPage({ spec, store }, {}, () => limit);
          assertSame(positionsOf(pages.flat()), expected, `the records that can be read, on pages of ${String(limit)}`);
        }
        const [damaged] = records;
        if (damaged !== undefined) assertSame(await readAlone(store, damaged), null, 'the damaged record, read alone');
      }),
    ),
  );
}

/** What readers promise when their database cannot be reached. */
export function lostStoreContract<Kind extends ListedKind>(options: Options<Kind, LosableStore<Kind>>): readonly ContractCase[];
export function lostStoreContract(options: AnyKindOptions<AnyKindStore & { lose(): Promise<unknown> }>): readonly ContractCase[] {
  return specsOf(options).map((spec) =>
    namedCase(`${spec.kind}: a database that cannot be reached is an UnavailableError`, () =>
      withKinds(options, async (store, whole) => {
        assertOffers(whole, 'lose');
        const records = tenRecords(spec);
        await store.fill(records);
        await whole.lose();
        await assertUnavailable('list', () => readPage({ spec, store }, { limit: 5, after: null }));
        const [record] = records;
        if (record !== undefined && record.kind !== 'build') await assertUnavailable('reading one record', () => readAlone(store, record));
      }),
    ),
  );
}

/** Plain JavaScript can leave the method out. */
function assertOffers(store: object, method: 'damage' | 'lose'): void {
  const advice = method === 'damage' ? 'makes a stored record unreadable' : 'makes the database unreachable';
  if (!(method in store)) throw new TypeError(`The opened store has no ${method}(). Return a method from \`open\` that ${advice}.`);
}

function tenRecords(spec: ListSpec): ListedRecord[] {
  return Array.from({ length: 10 }, (_, serial) => fixedRecord(spec, 'acme/widget', NOW - serial * SECOND, serial));
}

async function assertUnavailable(what: string, call: () => Promise<unknown>): Promise<void> {
  let error: unknown = null;
  try {
    await call();
  } catch (thrown) {
    error = thrown;
  }
  assert(error !== null, `${what}: expected an UnavailableError, found an answer`);
  assert(error instanceof Error && error.name === 'UnavailableError', `${what}: expected an UnavailableError, found "${messageOf(error)}"`);
}
