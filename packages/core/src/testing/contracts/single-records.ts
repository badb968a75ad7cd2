import { idKeyOf, scopeOf } from '../../kinds/identity.js';
import type { ListedKind, ListedRecord } from '../../kinds/kinds.js';
import { NO_REPOSITORY, type RepositoryRef, nameOfRef } from '../../kinds/repository-name.js';
import type { ReadContext } from '../../ports/readers.js';
import type { StoreReaders } from '../../ports/store.js';
import { Allowlist, type ApprovedRepositories } from '../../rules/allowlist.js';
import { aCommit } from '../builders.js';
import { someNews } from '../content-builders.js';
import { type ContractCase, assertSame, namedCase } from '../contract.js';
import { type AnyKindOptions, type KindContractOptions, type OpenedKinds, type SomeKindsOptions, specsOf, withKinds } from '../kind-store.js';
import { type ListSpec, reader } from '../list-specs.js';
import { anIncident } from '../status-builders.js';
import { assertEndsOnAbort } from './aborted-calls.js';
import { readWithoutEmails } from './email-promises.js';
import { type ById, scopedById } from './read-alone.js';

const WIDGET: RepositoryRef = 'acme/widget';
const approved = Allowlist.of('acme/widget', 'acme/another').approved();

type Readers = Partial<StoreReaders>;

interface Promised {
  readonly name: string;
  readonly run: (store: OpenedKinds) => Promise<void>;
}

/** The promises of reading one record, for each kind that has such a reader. */
export function singleRecordContract(options: SomeKindsOptions): readonly ContractCase[];
export function singleRecordContract<Kind extends ListedKind>(options: KindContractOptions<Kind>): readonly ContractCase[];
export function singleRecordContract(options: AnyKindOptions): readonly ContractCase[] {
  return specsOf(options).flatMap((spec) => {
    const promises = promisesOf(spec.kind, spec.scopes === 'any');
    const all = promises.length === 0 ? [] : [...promises, withoutEmails(spec)];
    return all.map(({ name, run }) => namedCase(`${spec.kind} ${name}`, () => withKinds(options, run)));
  });
}

function withoutEmails(spec: ListSpec): Promised {
  return { name: 'alone: no e-mail address is published', run: (store) => readWithoutEmails({ spec, store }) };
}

function promisesOf(kind: ListedKind, isAlsoOfNoRepository: boolean): readonly Promised[] {
  const byId = scopedById(kind);
  if (byId !== undefined) return scopedPromises(byId, isAlsoOfNoRepository);
  if (kind === 'commit') return COMMIT;
  if (kind === 'news') return publicPromises(someNews(), (readers, id, context) => reader(readers, 'news').byId(id, context));
  return kind === 'incident' ? publicPromises(anIncident(), (readers, id, context) => reader(readers, 'incidents').byId(id, context)) : [];
}

function scopedPromises({ make, read }: ById, isAlsoOfNoRepository: boolean): readonly Promised[] {
  const id = idKeyOf(make(WIDGET));
  const promises: Promised[] = [
    {
      name: 'by id: found in approved repositories only, in the lowest one when several have it',
      run: async ({ readers, fill, context }) => {
        const refs: readonly RepositoryRef[] = ['acme/secret', 'acme/widget', 'acme/another', 'acme/aaa', 'acme/another#7'];
        await fill(refs.map(make));
        for (const list of [approved, approved.only(WIDGET), Allowlist.of('acme/nothing').approved()]) {
          for (const record of refs.map(make)) {
            // The id of a release names its repository, so each id matches only that repository's release.
            const own = refs.map(make).filter((other) => idKeyOf(other) === idKeyOf(record) && list.admits(scopeOf(other)));
            const [expected = null] = own.sort((a, b) => (scopeOf(a) < scopeOf(b) ? -1 : 1));
            const what = `${idKeyOf(record)} of ${scopeOf(record)}, with permission for ${scopesIn(list, refs)}`;
            assertSame(await read(readers, list, idKeyOf(record), context), expected, what);
          }
        }
      },
    },
    {
      name: 'by id: null when there is none',
      run: async ({ readers, fill, context }) => {
        await fill([make(WIDGET)]);
        for (const unknown of ['no-such-id', '__proto__', '', id.slice(0, -1), `${id}0`, id.toUpperCase()])
          assertSame(await read(readers, approved, unknown, context), null, `the unknown id "${unknown}"`);
      },
    },
    {
      name: 'by id: `signal` ends a call at once',
      run: async ({ readers, fill }) => {
        await fill([make(WIDGET)]);
        await assertEndsOnAbort('byId', (context) => read(readers, approved, id, context));
      },
    },
  ];
  if (isAlsoOfNoRepository) promises.push(ofNoRepository({ make, read }));
  return promises;
}

/** The permission in words, for messages: what is approved, and which of the stored repositories are hidden. */
function scopesIn(list: ApprovedRepositories, stored: readonly RepositoryRef[]): string {
  return `${list.refs.map(nameOfRef).join(', ')} (hidden: ${stored.filter((ref) => !list.admits(ref)).join(', ')})`;
}

function ofNoRepository({ make, read }: ById): Promised {
  return {
    name: 'by id: of no repository, found unless only one repository is asked for',
    run: async ({ readers, fill, context }) => {
      const record = make(NO_REPOSITORY);
      await fill([record]);
      assertSame(await read(readers, approved, idKeyOf(record), context), record, 'with permission');
      assertSame(await read(readers, Allowlist.of().approved(), idKeyOf(record), context), record, 'with an empty allowlist');
      assertSame(await read(readers, approved.only(WIDGET), idKeyOf(record), context), null, 'in acme/widget alone');
    },
  };
}

type ReadPublic = (readers: Readers, id: string, context: ReadContext) => Promise<ListedRecord | null>;

function publicPromises(record: ListedRecord, read: ReadPublic): readonly Promised[] {
  const id = idKeyOf(record);
  return [
    {
      name: 'by id: found, or null',
      run: async ({ readers, fill, context }) => {
        await fill([record]);
        assertSame(await read(readers, id, context), record, `the stored id "${id}"`);
        for (const unknown of ['x', '__proto__', '', id.slice(0, -1), id.toUpperCase()])
          assertSame(await read(readers, unknown, context), null, `the unknown id "${unknown}"`);
      },
    },
    {
      name: 'by id: `signal` ends a call at once',
      run: async ({ readers, fill }) => {
        await fill([record]);
        await assertEndsOnAbort('byId', (context) => read(readers, id, context));
      },
    },
  ];
}

const sha = (start: string): string => start.padEnd(40, '0');
const commit = (repositoryRef: RepositoryRef, start: string): ListedRecord => aCommit({ repositoryRef, sha: sha(start) });

const COMMIT: readonly Promised[] = [
  {
    name: 'by sha: one for each sha, the lowest repository, at most two, approved ones only',
    run: async ({ readers, fill, context }) => {
      const long = aCommit({ repositoryRef: WIDGET, sha: 'fedcba98'.repeat(8) });
      const [inWidget, inAnother, next, last] = [
        commit(WIDGET, 'abcdef12'),
        commit('acme/another', 'abcdef12'),
        commit(WIDGET, 'abcdef13'),
        commit(WIDGET, 'abcdef14'),
      ];
      const hidden = [commit('acme/secret', 'abcdef11'), commit('acme/aaa', 'abcdef12'), commit('acme/another#7', 'abcdef12')];
      await fill([last, inWidget, next, ...hidden, inAnother, long]);
      const find = (prefix: string, list = approved): Promise<unknown> => reader(readers, 'commits').bySha(list, prefix, context);
      assertSame(await find('abcdef12'), [inAnother], 'one sha in two repositories');
      assertSame(await find('abcdef1'), [inAnother, next], 'an ambiguous prefix');
      assertSame(await find(sha('abcdef13')), [next], 'a whole sha');
      assertSame(await find(long.sha), [long], 'a whole sha of 64 digits');
      assertSame(await find('fedcba9'), [long], 'the shortest prefix');
      assertSame(await find('abcdef11'), [], 'a sha of a repository that is not approved');
      assertSame(await find('abcdef12', approved.only(WIDGET)), [inWidget], 'in one repository');
      assertSame(await find('0000000'), [], 'an unknown prefix');
      assertSame(await find('bcdef12'), [], 'digits from the middle of a sha');
    },
  },
  {
    name: 'by sha: `signal` ends a call at once',
    run: async ({ readers, fill }) => {
      await fill([aCommit()]);
      await assertEndsOnAbort('bySha', (context) => reader(readers, 'commits').bySha(approved, aCommit().sha, context));
    },
  },
];
