import { DAY, type Instant } from '../kinds/instant.js';
import { type FilterOf, KINDS, type ListedRecord } from '../kinds/kinds.js';
import type { Provenance } from '../kinds/provenance.js';
import { NO_REPOSITORY, type RepositoryRef, type ScopeRef } from '../kinds/repository-name.js';
import type { FilterValue } from '../kinds/page.js';
import type { ReadContext, TimeListQuery, TimePage } from '../ports/readers.js';
import type { StoreReaders } from '../ports/store.js';
import type { ApprovedRepositories } from '../rules/allowlist.js';
import { aBuild, aCommit, aFinding, aMission, aRelease } from './builders.js';
import { aVideo, anArticle, anImage, someNews } from './content-builders.js';
import type { Random } from './random.js';
import { anIncident } from './status-builders.js';

/** The values of a list's filters; absent means any. */
export type FilterValues = Readonly<Record<string, FilterValue>>;

export interface ExampleFields {
  readonly repositoryRef?: ScopeRef;
  readonly provenance?: Provenance;
}

/** How the contract suites make, list and filter the records of one kind. */
export interface ListSpec {
  readonly kind: ListedRecord['kind'];
  /** Whether the records belong to a repository always, sometimes (`any`) or never. */
  readonly scopes: 'repository' | 'any' | 'none';
  /** The record of the kind's builder. A kind that always belongs to a repository ignores the ref `-`. */
  readonly example: (over?: ExampleFields) => ListedRecord;
  /** The times, beside `provenance.observedAt`, that keep their stored values when an import fills them in again. */
  readonly importTimes: readonly string[];
  make(random: Random, scope: ScopeRef, time: Instant, serial: number): ListedRecord;
  list(
    readers: Partial<StoreReaders>,
    approved: ApprovedRepositories,
    query: TimeListQuery,
    filters: FilterValues,
    context: ReadContext,
  ): Promise<TimePage<ListedRecord>>;
  /** For each filter, the values with which a record is found. */
  readonly filters: Readonly<Record<string, (record: ListedRecord) => readonly string[]>>;
}

/** The reader with that name. Throws if the store does not have it, which is possible in plain JavaScript. */
export function reader<Name extends keyof StoreReaders>(readers: Partial<StoreReaders>, name: Name): StoreReaders[Name] {
  const found: Partial<StoreReaders>[Name] = readers[name];
  if (found === undefined)
    throw new TypeError(`The opened store has no readers.${name}. Return it from \`open\`, or leave its kind out of \`kinds\`.`);
  return found;
}

type Spec<Kind extends ListedRecord['kind']> = Omit<ListSpec, 'list'> & { readonly filters: Record<FilterOf<Kind>, ListSpec['filters'][string]> };

const CHANGE_TYPES = ['fix', 'feature', 'docs'] as const;
const WORDS = ['alpha', 'beta', 'gamma'] as const;

const owned = (scope: ScopeRef): RepositoryRef => (scope === NO_REPOSITORY ? 'acme/widget' : scope);

function ownedFields({ repositoryRef = NO_REPOSITORY, ...over }: ExampleFields = {}): ExampleFields & { readonly repositoryRef: RepositoryRef } {
  return { ...over, repositoryRef: owned(repositoryRef) };
}

function shaOf(serial: number): string {
  return (Math.imul(serial + 1, 0x9e3779b1) >>> 0).toString(16).padStart(8, '0').padEnd(40, serial.toString(16).padStart(8, '0'));
}

const commits: Spec<'commit'> = {
  kind: 'commit',
  scopes: 'repository',
  example: (over) => aCommit(ownedFields(over)),
  importTimes: [],
  make: (random, scope, time, serial) =>
    aCommit({
      repositoryRef: owned(scope),
      sha: shaOf(serial),
      committedAt: time,
      branch: random.chance(0.2) ? null : random.pick(['main', 'next']),
      authorLogin: random.pick(['', 'ada', 'Bob']),
      authorName: random.pick(['Ada', 'Bob', 'bob', 'Zoë 🎈']),
      changeType: random.chance(0.2) ? null : random.pick(CHANGE_TYPES),
    }),
  filters: {
    branch: (record) => (record.kind === 'commit' && record.branch !== null ? [record.branch] : []),
    author: (record) => (record.kind === 'commit' ? [record.authorName, ...loginSpellings(record.authorLogin)] : []),
    changeType: (record) => (record.kind === 'commit' && record.changeType !== null ? [record.changeType] : []),
  },
};

function loginSpellings(login: string): readonly string[] {
  return login === '' ? [] : [login, login.toLowerCase(), login.toUpperCase(), login.charAt(0).toUpperCase() + login.slice(1).toLowerCase()];
}

const releases: Spec<'release'> = {
  kind: 'release',
  scopes: 'repository',
  example: (over) => aRelease(ownedFields(over)),
  importTimes: [],
  make: (random, scope, time, serial) =>
    aRelease({
      repositoryRef: owned(scope),
      tagName: `v${String(serial)}`,
      publishedAt: time,
      platform: random.chance(0.4) ? null : random.pick(WORDS),
      releaseType: random.pick(['stable', 'beta']),
    }),
  filters: {
    platform: (record) => (record.kind === 'release' && record.platform !== null ? [record.platform] : []),
    releaseType: (record) => (record.kind === 'release' ? [record.releaseType] : []),
  },
};

const findings: Spec<'finding'> = {
  kind: 'finding',
  scopes: 'repository',
  example: (over) => aFinding(ownedFields(over)),
  importTimes: [],
  make: (random, scope, time, serial) =>
    aFinding({
      repositoryRef: owned(scope),
      id: `fnd_${String(serial)}`,
      detectedAt: time,
      status: random.pick(['EXPERIMENTAL', 'CONFIRMED']),
      changeType: random.pick(CHANGE_TYPES),
    }),
  filters: {
    status: (record) => (record.kind === 'finding' ? [record.status] : []),
    changeType: (record) => (record.kind === 'finding' ? [record.changeType] : []),
  },
};

const builds: Spec<'build'> = {
  kind: 'build',
  scopes: 'repository',
  example: (over) => aBuild(ownedFields(over)),
  importTimes: [],
  make: (random, scope, time, serial) =>
    aBuild({
      repositoryRef: owned(scope),
      id: `bld_${String(serial)}`,
      startedAt: time,
      state: random.pick(['succeeded', 'failed', 'running']),
      branch: random.chance(0.2) ? null : random.pick(['main', 'next']),
    }),
  filters: {
    branch: (record) => (record.kind === 'build' && record.branch !== null ? [record.branch] : []),
    state: (record) => (record.kind === 'build' ? [record.state] : []),
  },
};

const missions: Spec<'mission'> = {
  kind: 'mission',
  scopes: 'any',
  example: aMission,
  importTimes: ['createdAt'],
  make: (random, scope, time, serial) =>
    aMission({ repositoryRef: scope, id: `msn_${String(serial)}`, createdAt: time, status: random.pick(['active', 'completed', 'planned']) }),
  filters: { status: (record) => (record.kind === 'mission' ? [record.status] : []) },
};

const articles: Spec<'article'> = {
  kind: 'article',
  scopes: 'any',
  example: anArticle,
  importTimes: [],
  make: (random, scope, time, serial) =>
    anArticle({
      repositoryRef: scope,
      id: `art-${String(serial)}`,
      publishedAt: time,
      articleKind: random.pick(['article', 'help', 'changelog']),
      tags: random.shuffled(WORDS).slice(0, random.int(3)),
      language: random.pick(['en', 'de']),
    }),
  filters: {
    articleKind: (record) => (record.kind === 'article' ? [record.articleKind] : []),
    tag: (record) => (record.kind === 'article' ? record.tags : []),
    language: (record) => (record.kind === 'article' ? [record.language] : []),
  },
};

const images: Spec<'image'> = {
  kind: 'image',
  scopes: 'any',
  example: anImage,
  importTimes: [],
  make: (_random, scope, time, serial) => anImage({ repositoryRef: scope, id: `${serial.toString(16).padStart(32, '0')}.gif`, publishedAt: time }),
  filters: {},
};

const videos: Spec<'video'> = {
  kind: 'video',
  scopes: 'any',
  example: aVideo,
  importTimes: ['discoveredAt'],
  make: (random, scope, time, serial) => {
    const video = aVideo({ repositoryRef: scope, id: `vid_${String(serial)}`, publishedAt: time });
    return { ...video, provenance: { ...video.provenance, source: random.pick(['Acme channel', 'Talks']) } };
  },
  filters: { source: (record) => [record.provenance.source] },
};

const news: Spec<'news'> = {
  kind: 'news',
  scopes: 'none',
  example: ({ provenance } = {}) => someNews(provenance === undefined ? {} : { provenance }),
  importTimes: ['discoveredAt', 'listedAt'],
  make: (random, _scope, time, serial) =>
    someNews({ id: `nws_${String(serial)}`, source: random.pick(['Acme Blog', 'Élan']), listedAt: time, publishedAt: time }),
  filters: { source: (record) => (record.kind === 'news' ? [record.source] : []) },
};

const incidents: Spec<'incident'> = {
  kind: 'incident',
  scopes: 'none',
  example: ({ provenance } = {}) => anIncident(provenance === undefined ? {} : { provenance }),
  importTimes: [],
  make: (random, _scope, time, serial) => {
    const incident = anIncident({ id: `inc_${String(serial)}`, startedAt: time, state: random.pick(['resolved', 'monitoring']) });
    const keys = random.shuffled(['acme:api', 'acme:docs', 'acme:cdn']).slice(0, random.int(3));
    const covers = random.shuffled(['detected:acme:api:1', 'detected:acme:docs:1']).slice(0, random.int(2));
    return {
      ...incident,
      incidentKind: random.pick(['declared', 'detected', 'maintenance']),
      services: keys.map((key) => ({ key, displayName: key, impacts: [] })),
      covers,
    };
  },
  filters: {
    state: (record) => (record.kind === 'incident' ? [record.state] : []),
    service: (record) => (record.kind === 'incident' ? record.services.map(({ key }) => key) : []),
    covers: (record) => (record.kind === 'incident' ? (record.covers ?? []) : []),
    kind: (record) => (record.kind === 'incident' ? [record.incidentKind] : []),
  },
};

/** The list of the reader that bears the plural of the kind. */
function listOf(kind: ListedRecord['kind']): ListSpec['list'] {
  const { plural, filters, ownership } = KINDS[kind];
  return (readers, approved, query, values, context) => {
    const found = reader(readers, plural) as unknown as { list(...call: readonly unknown[]): Promise<TimePage<ListedRecord>> };
    const asked = { ...query, ...Object.fromEntries(Object.keys(filters).map((name) => [name, values[name] ?? null])) };
    if (kind === 'incident') return found.list({ ...asked, notAfter: query.to + DAY }, context);
    return ownership === 'never' ? found.list(asked, context) : found.list(approved, asked, context);
  };
}

const SPECS: readonly Omit<ListSpec, 'list'>[] = [commits, releases, findings, builds, missions, articles, images, videos, news, incidents];

export const LIST_SPECS: readonly ListSpec[] = SPECS.map((spec) => ({ ...spec, list: listOf(spec.kind) }));
