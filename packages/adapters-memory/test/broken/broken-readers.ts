import {
  Allowlist,
  LATEST_INSTANT,
  NO_REPOSITORY,
  type ApprovedRepositories,
  type ReadContext,
  type RepositoryRef,
  type SyncTimes,
} from '@vitrine/core';
import { brokenSignals, SYNC_FIELDS, withReader, type BrokenStore, type Method } from './broken-store.js';

/** Also permits the hidden repositories of the suites. */
const EVERYBODY = Allowlist.of(
  ...['acme/widget', 'acme/another', 'acme/secret', 'acme/aaa', 'acme/nothing', 'acme/a', 'acme/b', 'acme/c', 'Acme/D', 'acme/a-b', 'zeta/z'],
).approved();

const KINDS = { release: 'releases', finding: 'findings', mission: 'missions', article: 'articles', video: 'videos' } as const;

type ById = (approved: ApprovedRepositories, id: string, context: ReadContext) => Promise<{ readonly repositoryRef: RepositoryRef } | null>;

const unscopedKinds = { news: 'news', incident: 'incidents' } as const;

const broken = (name: string, noticedBy: string, breaks: BrokenStore['breaks']): BrokenStore => ({ name, noticedBy, breaks });

function brokenById(kind: keyof typeof KINDS): BrokenStore[] {
  const name = KINDS[kind];
  const found = `${kind} by id: found in approved repositories only, in the lowest one when several have it`;
  const absent = `${kind} by id: null when there is none`;
  const change = (how: string, noticedBy: string, wrong: (right: ById) => ById): BrokenStore =>
    broken(
      `${name}.byId ${how}`,
      noticedBy,
      withReader(name, 'byId', (right) => wrong(right as ById) as Method),
    );
  return [
    change('ignores the permission', found, (right) => (_approved, id, context) => right(EVERYBODY, id, context)),
    ...(kind === 'release'
      ? []
      : [change('looks at the lowest repository only', found, lowestOnly), change('prefers the highest repository', found, highest)]),
    change(
      'answers undefined when there is none',
      absent,
      (right) =>
        async (...args) =>
          (await right(...args)) ?? (undefined as never),
    ),
    change('throws when there is none', absent, (right) => async (...args) => {
      const record = await right(...args);
      if (record === null) throw new RangeError('not found');
      return record;
    }),
    change(
      'ignores the case of ids',
      absent,
      (right) => async (approved, id, context) =>
        (await right(approved, id, context)) ??
        right(approved, kind === 'release' ? id.replace('@V', '@v').replace('ACME/WIDGET', 'acme/widget') : id.toLowerCase(), context),
    ),
    ...brokenSignals(name, 'byId', `${kind} by id: \`signal\` ends a call at once`),
  ];
}

function lowestOnly(right: ById): ById {
  return async (approved, id, context) => {
    const record = await right(EVERYBODY, id, context);
    return record !== null && approved.admits(record.repositoryRef) ? record : null;
  };
}

function highest(right: ById): ById {
  return async (approved, id, context) => {
    const all = await Promise.all(approved.refs.map((ref) => right(approved.only(ref), id, context)));
    return all.findLast((record) => record !== null) ?? right(approved, id, context);
  };
}

function ofNoRepository(kind: 'mission' | 'article' | 'video'): BrokenStore[] {
  const noticedBy = `${kind} by id: of no repository, found unless only one repository is asked for`;
  const name = KINDS[kind];
  return [
    broken(
      `${name}.byId finds no record of no repository`,
      noticedBy,
      withReader(name, 'byId', (right) => async (...args) => {
        const record = await right(...args);
        return record?.repositoryRef === NO_REPOSITORY ? null : record;
      }),
    ),
    broken(
      `${name}.byId finds records of no repository for who asks for one`,
      noticedBy,
      withReader(
        name,
        'byId',
        (right) => async (approved, id, context) => (await right(approved, id, context)) ?? right(Allowlist.of().approved(), id, context),
      ),
    ),
  ];
}

function brokenPublicById(kind: keyof typeof unscopedKinds): BrokenStore[] {
  const name = unscopedKinds[kind];
  const noticedBy = `${kind} by id: found, or null`;
  return [
    broken(
      `${name}.byId answers undefined when there is none`,
      noticedBy,
      withReader(
        name,
        'byId',
        (right) =>
          async (...args) =>
            (await right(...args)) ?? undefined,
      ),
    ),
    broken(
      `${name}.byId finds nothing`,
      noticedBy,
      withReader(name, 'byId', () => async () => null),
    ),
    broken(
      `${name}.byId ignores case`,
      noticedBy,
      withReader(name, 'byId', (right) => (id: string, context) => right(id.toLowerCase(), context)),
    ),
    ...brokenSignals(name, 'byId', `${kind} by id: \`signal\` ends a call at once`),
  ];
}

const BY_SHA = 'commit by sha: one for each sha, the lowest repository, at most two, approved ones only';
const bySha = (name: string, change: (right: Method) => Method): BrokenStore =>
  broken(`commits.bySha ${name}`, BY_SHA, withReader('commits', 'bySha', change));

const COMMITS: readonly BrokenStore[] = [
  bySha('ignores the permission', (right) => (_approved, prefix, context) => right(EVERYBODY, prefix, context)),
  bySha('looks at the lowest repository only', (right) => async (approved, prefix, context) => {
    const found: readonly { readonly repositoryRef: RepositoryRef }[] = await right(EVERYBODY, prefix, context);
    return found.filter(({ repositoryRef }) => approved.admits(repositoryRef));
  }),
  bySha(
    'finds one commit only',
    (right) =>
      async (...args) =>
        (await right(...args)).slice(0, 1),
  ),
  bySha(
    'orders by descending sha',
    (right) =>
      async (...args) =>
        (await right(...args)).toReversed(),
  ),
  bySha('finds every copy of a commit', (right) => async (approved, prefix, context) => {
    const found = await Promise.all(approved.refs.map((ref: RepositoryRef) => right(approved.only(ref), prefix, context)));
    return found.flat();
  }),
  bySha('knows no sha of 64 digits', (right) => (approved, prefix, context) => right(approved, prefix.length > 40 ? '0000000' : prefix, context)),
  bySha('looks into the middle of a sha', (right) => async (approved, prefix, context) => {
    const found = await right(approved, prefix, context);
    return found.length > 0 ? found : right(approved, `a${String(prefix)}`, context);
  }),
  ...brokenSignals('commits', 'bySha', 'commit by sha: `signal` ends a call at once'),
];

const NAMES = 'repositories: by name, paged, approved ones only';
const POSITION = 'repositories: a page begins after a name that was never stored';
const REFS = 'repositories by ref: those that are approved and stored';
const list = (name: string, noticedBy: string, change: (right: Method) => Method): BrokenStore =>
  broken(`repositories.list ${name}`, noticedBy, withReader('repositories', 'list', change));

const REPOSITORIES: readonly BrokenStore[] = [
  list('ignores the permission', NAMES, (right) => (_approved, query, context) => right(EVERYBODY, query, context)),
  list(
    'gives one repository too many',
    NAMES,
    (right) => (approved, query, context) => right(approved, { ...query, limit: query.limit + 1 }, context),
  ),
  list('always says that there is a next page', NAMES, (right) => async (...args) => {
    const page = await right(...args);
    return { ...page, next: { fullName: page.items.at(-1)?.fullName ?? '' } };
  }),
  list('never says that there is a next page', NAMES, (right) => async (...args) => ({ ...(await right(...args)), next: null })),
  list('compares names with capitals', NAMES, (right) => async (approved, query, context) => {
    const page = await right(approved, { limit: 100, after: null }, context);
    const items = page.items.toSorted((a: { fullName: string }, b: { fullName: string }) => (a.fullName < b.fullName ? -1 : 1));
    const rest = items.filter(({ fullName }: { fullName: string }) => query.after === null || fullName > query.after.fullName);
    return { items: rest.slice(0, query.limit), next: rest.length > query.limit ? { fullName: rest[query.limit - 1].fullName } : null };
  }),
  list('looks the repository of a position up', POSITION, (right) => async (approved, query, context) => {
    const all = await right(approved, { limit: 100, after: null }, context);
    const isKnown = query.after === null || all.items.some(({ repositoryRef }: { repositoryRef: string }) => repositoryRef === query.after.fullName);
    return isKnown ? right(approved, query, context) : { items: [], next: null };
  }),
  broken(
    'repositories.byRefs ignores the permission',
    REFS,
    withReader('repositories', 'byRefs', (right) => (_approved, refs, context) => right(EVERYBODY, refs, context)),
  ),
  broken(
    'repositories.byRefs finds all that is approved',
    REFS,
    withReader('repositories', 'byRefs', (right) => (approved, _refs, context) => right(approved, approved.refs, context)),
  ),
  broken(
    'repositories.byRefs gives one for each ref asked for',
    REFS,
    withReader('repositories', 'byRefs', (right) => async (approved, refs, context) => {
      const found = await Promise.all(refs.map((ref: RepositoryRef) => right(approved, [ref], context)));
      return found.flat();
    }),
  ),
  ...brokenSignals('repositories', 'list', 'repositories: `signal` ends a call at once'),
  ...brokenSignals('repositories', 'byRefs', 'repositories: `signal` ends a call at once'),
];

const SYNC = 'sync records: of approved repositories and of no repository';
const CONFIGURATIONS = 'sync records of configurations: all, whole and by id';
const SYNCS: readonly BrokenStore[] = [
  broken(
    'syncs.list ignores the permission',
    SYNC,
    withReader('syncs', 'list', (right) => (_approved, context) => right(EVERYBODY, context)),
  ),
  broken(
    'syncs.list shows only what has a permission',
    SYNC,
    withReader(
      'syncs',
      'list',
      (right) => async (approved, context) =>
        (await right(approved, context)).filter(({ repositoryRef }: { repositoryRef: string }) => repositoryRef !== NO_REPOSITORY),
    ),
  ),
  broken(
    'syncs.list hides what has no permission from nobody',
    SYNC,
    withReader('syncs', 'list', (right) => (approved, context) => right(approved ?? EVERYBODY, context)),
  ),
  ...SYNC_FIELDS.map((field) => ({
    name: `the sync reader forgets \`${field}\``,
    noticedBy: SYNC,
    breaks: withReader(
      'syncs',
      'list',
      (right) =>
        async (...args) =>
          (await right(...args)).map((sync: object) => ({ ...sync, [field]: null })),
    ),
  })),
  {
    name: 'the sync reader takes the last attempt for the last success',
    noticedBy: SYNC,
    breaks: withReader(
      'syncs',
      'list',
      (right) =>
        async (...args) =>
          (await right(...args)).map((sync: SyncTimes) => ({ ...sync, lastSuccessAt: sync.lastAttemptAt })),
    ),
  },
  ...brokenSignals('syncs', 'list', 'sync records: `signal` ends a call at once'),
  broken(
    'configurations.list forgets the states',
    CONFIGURATIONS,
    withReader(
      'configurations',
      'list',
      (right) =>
        async (...args) =>
          (await right(...args)).map((sync: object) => ({ ...sync, state: null })),
    ),
  ),
  broken(
    'configurations.list ignores the order',
    CONFIGURATIONS,
    withReader(
      'configurations',
      'list',
      (right) =>
        async (...args) =>
          (await right(...args)).reverse(),
    ),
  ),
  ...brokenSignals('configurations', 'list', 'sync records of configurations: `signal` ends a call at once'),
];

const BY_KEY = 'services: all of them, by key; one by key, or null';
const LATER = 'incidents: later than `notAfter` only when they are planned maintenance';
const UNRESOLVED = 'incidents: the unresolved ones, newest first, at most 100';

const STATUS: readonly BrokenStore[] = [
  broken(
    'services.list is in another order',
    BY_KEY,
    withReader(
      'services',
      'list',
      (right) =>
        async (...args) =>
          (await right(...args)).toReversed(),
    ),
  ),
  broken(
    'services.list gives at most 5',
    BY_KEY,
    withReader(
      'services',
      'list',
      (right) =>
        async (...args) =>
          (await right(...args)).slice(0, 5),
    ),
  ),
  broken(
    'services.byKey answers undefined when there is none',
    BY_KEY,
    withReader(
      'services',
      'byKey',
      (right) =>
        async (...args) =>
          (await right(...args)) ?? undefined,
    ),
  ),
  broken(
    'services.byKey ignores case',
    BY_KEY,
    withReader('services', 'byKey', (right) => (key: string, context) => right(key.toLowerCase(), context)),
  ),
  ...brokenSignals('services', 'list', 'services: `signal` ends a call at once'),
  ...brokenSignals('services', 'byKey', 'services: `signal` ends a call at once'),
  broken(
    'incidents.list ignores `notAfter`',
    LATER,
    withReader('incidents', 'list', (right) => (query, context) => right({ ...query, notAfter: LATEST_INSTANT }, context)),
  ),
  broken(
    'incidents.list leaves later maintenance out',
    LATER,
    withReader('incidents', 'list', (right) => (query, context) => right({ ...query, to: Math.min(query.to, query.notAfter) }, context)),
  ),
  broken(
    'incidents.list applies `notAfter` after it has read a page',
    LATER,
    withReader('incidents', 'list', (right) => async (query, context) => {
      const page = await right({ ...query, notAfter: LATEST_INSTANT }, context);
      return { ...page, items: page.items.filter((one: { id: string }) => one.id !== 'later') };
    }),
  ),
  broken(
    'incidents.unresolved ignores `notAfter`',
    LATER,
    withReader('incidents', 'unresolved', (right) => (_notAfter, context) => right(LATEST_INSTANT, context)),
  ),
  broken(
    'incidents.unresolved is in another order',
    UNRESOLVED,
    withReader(
      'incidents',
      'unresolved',
      (right) =>
        async (...args) =>
          (await right(...args)).toReversed(),
    ),
  ),
  broken(
    'incidents.unresolved gives at most 50',
    UNRESOLVED,
    withReader(
      'incidents',
      'unresolved',
      (right) =>
        async (...args) =>
          (await right(...args)).slice(0, 50),
    ),
  ),
  broken('incidents.unresolved shows resolved ones', UNRESOLVED, (store) =>
    withReader(
      'incidents',
      'unresolved',
      () => async (notAfter, context) =>
        (
          await store.readers.incidents.list(
            { limit: 100, after: null, from: null, to: LATEST_INSTANT, notAfter, state: null, service: null, covers: null, kind: null },
            context,
          )
        ).items,
    )(store),
  ),
  ...brokenSignals('incidents', 'unresolved', 'incidents: `signal` ends a call at once'),
];

export const BROKEN_READERS: readonly BrokenStore[] = [
  ...(['release', 'finding', 'mission', 'article', 'video'] as const).flatMap(brokenById),
  ...(['mission', 'article', 'video'] as const).flatMap(ofNoRepository),
  ...(['news', 'incident'] as const).flatMap(brokenPublicById),
  ...COMMITS,
  ...REPOSITORIES,
  ...SYNCS,
  ...STATUS,
];
