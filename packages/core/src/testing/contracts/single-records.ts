import { idKeyOf, scopeOf, type ListedRecord } from '../../domain/record-key.js';
import type { RepositoryRef } from '../../domain/repositories/repository-name.js';
import { Allowlist, type ApprovedRepositories } from '../../policies/allowlist.js';
import type { ReadContext } from '../../ports/read-context.js';
import type { RecordStore, StoreReaders } from '../../ports/store.js';
import { aCommit, aFinding, aMission, anArticle, aRelease, aRepositoryRecord, aVideo, NOW, someNews } from '../builders.js';
import { anIncident } from '../status-builders.js';
import { assertSame, StandingClock, withStore, type ContractCase, type ContractOptions } from '../contract.js';

const WIDGET: RepositoryRef = 'acme/widget';
const SECRET: RepositoryRef = 'acme/secret';
const approved = Allowlist.of('acme/widget', 'acme/another').approved();

type ById = (readers: StoreReaders, approved: ApprovedRepositories, id: string, context: ReadContext) => Promise<ListedRecord | null>;
type Use = (store: RecordStore, context: ReadContext) => Promise<void>;

const SCOPED: readonly { readonly make: (repositoryRef: RepositoryRef) => ListedRecord; readonly byId: ById }[] = [
  { make: (repositoryRef) => aRelease({ repositoryRef }), byId: (readers, list, id, context) => readers.releases.byId(list, id, context) },
  { make: (repositoryRef) => aFinding({ repositoryRef }), byId: (readers, list, id, context) => readers.findings.byId(list, id, context) },
  { make: (repositoryRef) => aMission({ repositoryRef }), byId: (readers, list, id, context) => readers.missions.byId(list, id, context) },
  { make: (repositoryRef) => anArticle({ repositoryRef }), byId: (readers, list, id, context) => readers.articles.byId(list, id, context) },
  { make: (repositoryRef) => aVideo({ repositoryRef }), byId: (readers, list, id, context) => readers.videos.byId(list, id, context) },
];

/** What reading one record promises. */
export function singleRecordContract(options: ContractOptions): readonly ContractCase[] {
  const on = (name: string, use: Use): ContractCase => ({
    name,
    run: () => withStore(options, new StandingClock(NOW), (store) => use(store, options.context)),
  });
  return [
    ...SCOPED.map(({ make, byId }) =>
      on(
        `${make(WIDGET).kind} by id: found in approved repositories only, in the lowest one when several have it`,
        async ({ readers, writer }, context) => {
          const records = [make(SECRET), make(WIDGET), make('acme/another')];
          await writer.put(records, context);
          for (const record of records) {
            const expected = record.kind === 'release' ? (approved.admits(scopeOf(record)) ? record : null) : make('acme/another');
            assertSame(await byId(readers, approved, idKeyOf(record), context), expected, idKeyOf(record));
          }
          assertSame(await byId(readers, Allowlist.of('acme/nothing').approved(), idKeyOf(make(WIDGET)), context), null, 'without approval');
          assertSame(await byId(readers, approved, 'no-such-id', context), null, 'an unknown id');
        },
      ),
    ),
    on('news and incident by id: found, or null', async ({ readers, writer }, context) => {
      await writer.put([someNews(), anIncident()], context);
      assertSame(await readers.news.byId('nws_1', context), someNews(), 'news');
      assertSame(await readers.incidents.byId('inc_1', context), anIncident(), 'incident');
      assertSame([await readers.news.byId('x', context), await readers.incidents.byId('__proto__', context)], [null, null], 'unknown ids');
    }),
    on('commit by sha: one for each sha, the lowest repository, at most two, approved ones only', commitsBySha),
    on('repositories: by name, paged, approved ones only', repositories),
  ];
}

async function commitsBySha({ readers, writer }: RecordStore, context: ReadContext): Promise<void> {
  const sha = (start: string): string => start.padEnd(40, '0');
  const commit = (repositoryRef: RepositoryRef, start: string): ListedRecord => aCommit({ repositoryRef, sha: sha(start) });
  const records = [
    commit(WIDGET, 'abcdef12'),
    commit('acme/another', 'abcdef12'),
    commit(WIDGET, 'abcdef13'),
    commit(WIDGET, 'abcdef14'),
    commit(SECRET, 'abcdef11'),
  ];
  await writer.put(records, context);
  const find = (prefix: string, list = approved): Promise<unknown> => readers.commits.bySha(list, prefix, context);
  assertSame(await find('abcdef12'), [records[1]], 'one sha in two repositories');
  assertSame(await find('abcdef1'), [records[1], records[2]], 'an ambiguous prefix');
  assertSame(await find(sha('abcdef13')), [records[2]], 'a whole sha');
  assertSame(await find('abcdef11'), [], 'a sha of a repository that is not approved');
  assertSame(await find('abcdef12', approved.only(WIDGET)), [records[0]], 'in one repository');
  assertSame(await find('0000000'), [], 'an unknown prefix');
}

async function repositories({ readers, writer }: RecordStore, context: ReadContext): Promise<void> {
  const refs: RepositoryRef[] = ['acme/b', 'acme/a', 'acme/secret', 'zeta/z', 'acme/c'];
  await writer.put(
    refs.map((repositoryRef) => aRepositoryRecord({ repositoryRef })),
    context,
  );
  const list = Allowlist.of('acme/a', 'acme/b', 'acme/c', 'zeta/z', 'acme/not-stored').approved();
  const names: string[] = [];
  let after: { readonly fullName: string } | null = null;
  do {
    const page: Awaited<ReturnType<StoreReaders['repositories']['list']>> = await readers.repositories.list(list, { limit: 3, after }, context);
    names.push(...page.items.map(({ fullName }) => fullName));
    after = page.next;
  } while (after !== null);
  assertSame(names, ['acme/a', 'acme/b', 'acme/c', 'zeta/z'], 'all pages');
  const found = await readers.repositories.byRefs(list, ['acme/b', 'acme/secret', 'acme/not-stored'], context);
  assertSame(
    found.map(({ fullName }) => fullName),
    ['acme/b'],
    'by ref',
  );
}
