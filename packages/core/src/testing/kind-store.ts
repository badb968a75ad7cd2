import type { RecordIdentity } from '../kinds/identity.js';
import type { ListedKind, ListedRecord, PluralOf, RecordOf } from '../kinds/kinds.js';
import type { ReadContext } from '../ports/readers.js';
import type { Clock, RecordStore, StoreReaders } from '../ports/store.js';
import { Allowlist } from '../rules/allowlist.js';
import { NOW } from './builders.js';
import { StandingClock, type ContractOptions } from './contract.js';
import { LIST_SPECS, type ListSpec } from './list-specs.js';

/** The name of a kind's reader in `StoreReaders`. */
export type ReaderOfKind<Kind extends ListedKind> = PluralOf<Kind>;

/** The part of a store that the suites need to test the readers of some kinds. */
export interface KindStore<Kind extends ListedKind> {
  readonly readers: Pick<StoreReaders, ReaderOfKind<Kind>>;
  /** Stores records, and replaces those that are stored already. Resolves when the readers can see them. */
  fill(records: readonly RecordOf<Kind>[]): Promise<unknown>;
  /** Deletes records. If this method is absent, the suites delete nothing between two pages. */
  remove?(records: readonly RecordOf<Kind>[]): Promise<unknown>;
  close?(): Promise<unknown>;
}

/** The options to test the readers of some kinds without a whole store. */
export interface KindContractOptions<Kind extends ListedKind> {
  readonly kinds: readonly Kind[];
  /** Opens an empty store. Readers that need the time must use the given clock. */
  open(clock: Clock): Promise<KindStore<Kind>>;
  /** The first seed of the random cases; 1 by default. */
  readonly seed?: number;
  /** The number of runs of each random case; 5 by default. */
  readonly runs?: number;
}

/** A store whose stored records a test can damage. */
export interface DamageableStore<Kind extends ListedKind> extends KindStore<Kind> {
  /** Makes the stored copy of a record unreadable: removes a required field, or sets it to a value of the wrong type. */
  damage(record: RecordOf<Kind>): Promise<unknown>;
}

/** A store that a test can disconnect from its database. */
export interface LosableStore<Kind extends ListedKind> extends KindStore<Kind> {
  /** Makes the database unreachable, so that every read fails. */
  lose(): Promise<unknown>;
}

/** The options for a whole store of which only some kinds are tested. */
export interface SomeKindsOptions extends ContractOptions {
  /** The kinds to test; all by default. */
  readonly kinds?: readonly ListedKind[];
}

/** Options for any selection of kinds. */
export interface AnyKindOptions<Store extends AnyKindStore = AnyKindStore> {
  readonly kinds?: readonly ListedKind[] | undefined;
  readonly context?: ReadContext;
  open(clock: Clock): Promise<Store>;
  readonly seed?: number;
  readonly runs?: number;
}

interface AnyPartialStore {
  readonly readers: Partial<StoreReaders>;
  fill(records: readonly ListedRecord[]): Promise<unknown>;
  remove?(records: readonly ListedRecord[]): Promise<unknown>;
  close?(): Promise<unknown>;
}

export type AnyKindStore = RecordStore | AnyPartialStore;

/** An open store, as the suites use it. */
export interface OpenedKinds {
  readonly readers: Partial<StoreReaders>;
  readonly context: ReadContext;
  readonly fill: (records: readonly ListedRecord[]) => Promise<unknown>;
  /** Absent if the store cannot delete. */
  readonly remove?: (records: readonly ListedRecord[]) => Promise<unknown>;
}

export function seedsOf({ seed = 1, runs = 5 }: AnyKindOptions): { readonly seed: number; readonly runs: number } {
  return { seed, runs };
}

/** The specs of the tested kinds. Throws a `RangeError` for a kind that has no list. */
export function specsOf({ kinds }: AnyKindOptions): readonly ListSpec[] {
  if (kinds === undefined) return LIST_SPECS;
  return kinds.map((kind) => {
    const spec = LIST_SPECS.find((one) => one.kind === kind);
    if (spec === undefined)
      throw new RangeError(`"${kind}" is not a kind of listed record. Use one of ${LIST_SPECS.map((one) => one.kind).join(', ')}.`);
    return spec;
  });
}

/** Runs a case on an empty store whose clock shows `NOW`, and closes the store. */
export async function withKinds<Store extends AnyKindStore>(
  options: AnyKindOptions<Store>,
  use: (store: OpenedKinds, whole: Store) => Promise<void>,
): Promise<void> {
  const store = await options.open(new StandingClock(NOW));
  try {
    const kinds = opened(store, options.context ?? { signal: new AbortController().signal });
    await assertEmpty(options, kinds);
    await use(kinds, store);
  } finally {
    await store.close?.();
  }
}

/** Without this check, records of an earlier case would look like a broken promise. */
async function assertEmpty(options: AnyKindOptions, { readers, context }: OpenedKinds): Promise<void> {
  const approved = Allowlist.of('acme/widget').approved();
  for (const spec of options.kinds === undefined ? [] : specsOf(options)) {
    const { items } = await spec.list(readers, approved, { limit: 1, after: null, from: null, to: NOW }, {}, context);
    if (items.length > 0)
      throw new RangeError(
        `The store that \`open\` returned already has a ${spec.kind}. Return an empty store for each case: use a new schema, or empty the tables.`,
      );
  }
}

function opened(store: AnyKindStore, context: ReadContext): OpenedKinds {
  const { readers } = store;
  if ('writer' in store) {
    const { writer } = store;
    return {
      readers,
      context,
      fill: (records) => writer.put(records, context),
      remove: (records) => writer.remove(records.map(identityOf), context),
    };
  }
  const filled = { readers, context, fill: (records: readonly ListedRecord[]) => store.fill(records) };
  if (store.remove === undefined) return filled;
  return { ...filled, remove: (records) => store.remove?.(records) ?? Promise.resolve() };
}

/** The identity with which a record is removed. */
function identityOf(record: ListedRecord): RecordIdentity {
  switch (record.kind) {
    case 'commit':
      return { kind: 'commit', repositoryRef: record.repositoryRef, sha: record.sha };
    case 'news':
    case 'incident':
      return { kind: record.kind, id: record.id };
    default:
      return record;
  }
}
