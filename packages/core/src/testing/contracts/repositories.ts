import { type NamePosition, type Page, compareText } from '../../kinds/page.js';
import { NO_REPOSITORY, type RepositoryRef, nameOfRef } from '../../kinds/repository-name.js';
import type { Repository } from '../../kinds/repository.js';
import type { SyncTimes } from '../../kinds/sync.js';
import type { ReadContext } from '../../ports/readers.js';
import type { RecordStore } from '../../ports/store.js';
import { Allowlist } from '../../rules/allowlist.js';
import { NOW, aRepositoryRecord, aSync } from '../builders.js';
import { type ContractCase, type ContractOptions, StandingClock, assertSame, namedCase, withStore } from '../contract.js';
import { assertEndsOnAbort } from './aborted-calls.js';

const REFS: readonly RepositoryRef[] = ['acme/b', 'acme/a', 'acme/secret', 'zeta/z', 'acme/b#7', 'acme/c', 'acme/a-b', 'acme/d'];
const approved = Allowlist.of('acme/a', 'acme/b', 'acme/c', 'Acme/D', 'acme/a-b', 'zeta/z', 'acme/not-stored').approved();
/** The visible repositories, in the order of the list. */
const SHOWN = ['acme/a', 'acme/a-b', 'acme/b', 'acme/c', 'acme/d', 'zeta/z'];

/** What the readers of repositories and of sync records promise. */
export function repositoryContract(options: ContractOptions): readonly ContractCase[] {
  const on = (name: string, use: (store: RecordStore, context: ReadContext) => Promise<void>): ContractCase =>
    namedCase(name, () => withStore(options, new StandingClock(NOW), (store) => use(store, options.context)));
  return [
    on('repositories: by name, paged, approved ones only', paged),
    on('repositories: a page begins after a name that was never stored', unknownPosition),
    on('repositories by ref: those that are approved and stored', byRefs),
    on('repositories: `signal` ends a call at once', repositoriesEndOnAbort),
    on('sync records: of approved repositories and of no repository', syncs),
    on('sync records: `signal` ends a call at once', syncsEndOnAbort),
    on('sync records of configurations: all, whole and by id', configurations),
    on('sync records of configurations: `signal` ends a call at once', configurationsEndOnAbort),
  ];
}

async function fill({ writer }: RecordStore, context: ReadContext): Promise<void> {
  const records = REFS.map((repositoryRef) =>
    aRepositoryRecord({ repositoryRef, fullName: repositoryRef === 'acme/d' ? 'Acme/D' : nameOfRef(repositoryRef) }),
  );
  await writer.put(records, context);
}

async function paged(store: RecordStore, context: ReadContext): Promise<void> {
  await fill(store, context);
  for (const limit of [1, 2, 3, 5, 6, 7, 100]) {
    let after: NamePosition | null = null;
    for (let start = 0; start < SHOWN.length; start += limit) {
      const page: Page<Repository, NamePosition> = await store.readers.repositories.list(approved, { limit, after }, context);
      const expected = SHOWN.slice(start, start + limit);
      const what = `a page of ${String(limit)} after ${String(start)} repositories`;
      assertSame(namesOf(page.items), expected, what);
      assertSame(page.next, start + limit < SHOWN.length ? { fullName: expected.at(-1) } : null, `\`next\` of ${what}`);
      after = page.next;
    }
  }
  const only = await store.readers.repositories.list(approved.only('acme/b'), { limit: 5, after: null }, context);
  assertSame(namesOf(only.items), ['acme/b'], 'the list of acme/b alone');
}

async function unknownPosition(store: RecordStore, context: ReadContext): Promise<void> {
  await fill(store, context);
  for (const fullName of ['acme/0', 'acme/a!', 'acme/bb', 'acme/not-stored', 'zeta/z', 'zz/z']) {
    const page = await store.readers.repositories.list(approved, { limit: 100, after: { fullName } }, context);
    const expected = SHOWN.filter((name) => name > fullName);
    assertSame(namesOf(page.items), expected, `after "${fullName}"`);
  }
}

async function byRefs(store: RecordStore, context: ReadContext): Promise<void> {
  await fill(store, context);
  const { repositories } = store.readers;
  const found = await repositories.byRefs(approved, ['acme/d', 'acme/b', 'acme/secret', 'acme/b#7', 'acme/not-stored', 'acme/b'], context);
  assertSame(namesOf(found).sort(), ['acme/b', 'acme/d'], 'by ref, each once');
  assertSame(await repositories.byRefs(approved.only('acme/a'), ['acme/b'], context), [], 'a ref that is not approved');
  assertSame(await repositories.byRefs(approved, [], context), [], 'by no ref');
}

function namesOf(repositories: readonly { readonly repositoryRef: RepositoryRef }[]): string[] {
  return repositories.map(({ repositoryRef }) => nameOfRef(repositoryRef));
}

async function repositoriesEndOnAbort(store: RecordStore, context: ReadContext): Promise<void> {
  await fill(store, context);
  const { repositories } = store.readers;
  await assertEndsOnAbort('list', (ended) => repositories.list(approved, { limit: 3, after: null }, ended));
  await assertEndsOnAbort('byRefs', (ended) => repositories.byRefs(approved, ['acme/a', 'acme/b'], ended));
}

async function syncs({ writer, readers }: RecordStore, context: ReadContext): Promise<void> {
  const records = [
    aSync({ id: 'a' }),
    aSync({ id: 'b', repositoryRef: 'acme/secret' }),
    aSync({ id: 'c', repositoryRef: '-' }),
    aSync({ id: 'd', repositoryRef: 'acme/widget#7' }),
    aSync({ id: 'e', repositoryRef: 'acme/gadget' }),
  ];
  await writer.put(records, context);
  const both = Allowlist.of('acme/widget', 'acme/gadget').approved();
  const ids = async (list: typeof both | null): Promise<string[]> => (await readers.syncs.list(list, context)).map(({ id }) => id).sort();
  const never = aSync({ id: 'f', firstAttemptAt: null, lastAttemptAt: null, lastSuccessAt: null, repositoryRef: '-' });
  // No two times are the same, so that a store that mistakes one for another is noticed.
  const attempts = { firstAttemptAt: NOW - 4_000, lastSuccessAt: NOW - 3_000, lastAttemptAt: NOW - 2_000, lastFailureAt: NOW - 1_000 };
  const failed = aSync({ id: 'g', ...attempts, lastFailureCode: 'ENOENT', repositoryRef: '-' });
  assertSame([await ids(both), await ids(both.only('acme/gadget')), await ids(null)], [['a', 'c', 'e'], ['c', 'e'], ['c']], 'sync records');
  await writer.put([never, failed], context);
  const stored = (await readers.syncs.list(null, context)).filter(({ id }) => id !== 'c');
  assertSame(stored.map(timesOf), [never, failed].map(timesOf), 'what sync records say');
}

/** Every field that a reader returns, whether or not it returns the source's memory too. */
function timesOf(sync: SyncTimes): SyncTimes {
  const { kind, id, sourceType, label, repositoryRef, feeds, intervalMs, firstAttemptAt, lastAttemptAt, lastSuccessAt, lastFailureAt } = sync;
  const { lastFailureCode } = sync;
  return {
    kind,
    id,
    sourceType,
    label,
    repositoryRef,
    feeds,
    intervalMs,
    firstAttemptAt,
    lastAttemptAt,
    lastSuccessAt,
    lastFailureAt,
    lastFailureCode,
  };
}

async function syncsEndOnAbort({ writer, readers }: RecordStore, context: ReadContext): Promise<void> {
  await writer.put([aSync({ id: 'a', repositoryRef: '-' })], context);
  await assertEndsOnAbort('list', (ended) => readers.syncs.list(null, ended));
  await assertEndsOnAbort('list', (ended) => readers.syncs.list(approved, ended));
}

async function configurations({ writer, readers }: RecordStore, context: ReadContext): Promise<void> {
  const of = (id: string, state: string | null) => aSync({ id, state, sourceType: 'configuration', repositoryRef: NO_REPOSITORY, feeds: [] });
  const records = [of('configuration:b', '{"since":"2026"}'), of('configuration:Z', null), of('configuration:a', 'x')];
  const others = ['configuration', 'configuration-a', 'configuration;a', 'xconfiguration:a'].map((id) => of(id, 'other'));
  await writer.put([...records, ...others], context);
  const sorted = [...records].sort((a, b) => compareText(a.id, b.id));
  assertSame(await readers.configurations.list(context), sorted, 'the configurations');
  await writer.remove([{ kind: 'sync', id: 'configuration:b' }], context);
  assertSame((await readers.configurations.list(context)).length, 2, 'the number that is left');
}

async function configurationsEndOnAbort({ writer, readers }: RecordStore, context: ReadContext): Promise<void> {
  await writer.put([aSync({ id: 'configuration:a', repositoryRef: NO_REPOSITORY })], context);
  await assertEndsOnAbort('list', (ended) => readers.configurations.list(ended));
}
