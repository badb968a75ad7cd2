import type { Commit } from '../kinds/commit.js';
import { INCIDENT_STATES, isUnresolved } from '../kinds/incident.js';
import { keyFor } from '../kinds/identity.js';
import { LATEST_INSTANT } from '../kinds/instant.js';
import { type DescribedRecords, KINDS, type ListedKind, type RecordOf, type ScopedKind } from '../kinds/kinds.js';
import { acceptedValues, compareText, type FilterValue, pageOf } from '../kinds/page.js';
import { nameOfRef, NO_REPOSITORY, type RepositoryRef, type ScopeRef } from '../kinds/repository-name.js';
import type { Repository } from '../kinds/repository.js';
import type { Sync, SyncTimes } from '../kinds/sync.js';
import type { ApprovedRepositories } from '../rules/allowlist.js';
import { isFoundUntil } from '../rules/search-fields.js';
import { CONFIGURATION_PREFIX, readersOfKinds } from './readers.js';
import type { CommitReader, ListReader, ReadContext, RepositoryReader, ServiceReader, TimeListQuery, TimePage } from './readers.js';
import type { StoreReaders } from './store.js';

export interface AskedFilter {
  /** Its name in the query. */
  readonly name: string;
  /** The field that must have one of the values, as the `filters` of the kind name it. */
  readonly path: string;
  readonly values: readonly string[];
}

export interface PageQuestion<Kind extends ListedKind> {
  readonly kind: Kind;
  /** `null` for a kind whose records belong to no repository. */
  readonly approved: ApprovedRepositories | null;
  readonly query: TimeListQuery;
  /** A record must match all of them. The most selective first. */
  readonly filters: readonly AskedFilter[];
  /** Records that are not shown are passed, and the page is still full. Default: all are shown. */
  readonly isShown?: (record: RecordOf<Kind>) => boolean;
}

/** How a store reads records of any kind: {@link recordReaders} makes the readers from it. Records that cannot be decoded are left out. */
export interface RecordTables {
  page<Kind extends ListedKind>(question: PageQuestion<Kind>, context: ReadContext): Promise<TimePage<RecordOf<Kind>>>;
  /**
   * The record of the first key that has one. Hidden records must cost no time.
   *
   * @param keys as `keyOfIdentity` returns them; those of approved repositories are in the order of their names
   * @param approved `null` for a kind whose records belong to no repository
   */
  first<Kind extends ListedKind | 'service'>(
    kind: Kind,
    keys: readonly string[],
    approved: ApprovedRepositories | null,
    context: ReadContext,
  ): Promise<DescribedRecords[Kind] | null>;
  readonly bySha: CommitReader['bySha'];
  readonly services: ServiceReader['list'];
  /** The sync records of some scopes, by id. Their states are not needed. */
  syncsOf(scopes: readonly ScopeRef[], context: ReadContext): Promise<readonly SyncTimes[]>;
  /** The sync records whose ids begin with a prefix that ends with a colon, by id. */
  syncsFrom(prefix: string, context: ReadContext): Promise<readonly Sync[]>;
}

/** As many as tell a caller that a prefix is ambiguous. */
const MOST_SHAS = 2;

/** What `bySha` returns of all approved commits with the prefix: of each sha the commit of the repository whose name sorts first. */
export function firstOfEachSha(found: readonly Commit[]): readonly Commit[] {
  const sorted = [...found].sort((a, b) => compareText(a.sha, b.sha) || compareText(nameOfRef(a.repositoryRef), nameOfRef(b.repositoryRef)));
  return sorted.filter(({ sha }, index) => sha !== sorted[index - 1]?.sha).slice(0, MOST_SHAS);
}

/** The scopes in which a list is read. */
export function scopesRead({ kind, approved }: Pick<PageQuestion<ListedKind>, 'kind' | 'approved'>): readonly ScopeRef[] {
  if (approved === null) return [NO_REPOSITORY];
  return KINDS[kind].ownership === 'always' ? approved.refs : approved.scopes;
}

const MOST_UNRESOLVED = { limit: 100, after: null, from: null, to: LATEST_INSTANT } as const;
const UNRESOLVED = askedFilters('incident', { state: INCIDENT_STATES.filter((state) => isUnresolved({ state })) });

/** The readers whose records a store reads in the same way for every kind. */
export function recordReaders(tables: RecordTables): Omit<StoreReaders, 'repositories' | 'activity' | 'checks' | 'search'> {
  const listOf = <Kind extends ScopedKind>(kind: Kind): ListReader<Kind>['list'] => {
    return (approved, query, context) => tables.page({ kind, approved, query, filters: askedFilters(kind, query) }, context);
  };
  return {
    ...readersOfKinds((kind) => ({
      list: listOf(kind),
      byId: (approved, idKey, context) => tables.first(kind, keysOf(approved, idKey), approved, context),
    })),
    commits: { list: listOf('commit'), bySha: (...call) => tables.bySha(...call) },
    news: {
      list: (query, context) => tables.page({ kind: 'news', approved: null, query, filters: askedFilters('news', query) }, context),
      byId: (id, context) => tables.first('news', [id], null, context),
    },
    incidents: {
      list: (query, context) => {
        const isShown = (incident: RecordOf<'incident'>): boolean => isFoundUntil(incident, query.notAfter);
        return tables.page({ kind: 'incident', approved: null, query, filters: askedFilters('incident', query), isShown }, context);
      },
      byId: (id, context) => tables.first('incident', [id], null, context),
      unresolved: async (notAfter, context) => {
        const isShown = (incident: RecordOf<'incident'>): boolean => isFoundUntil(incident, notAfter);
        return (await tables.page({ kind: 'incident', approved: null, query: MOST_UNRESOLVED, filters: UNRESOLVED, isShown }, context)).items;
      },
    },
    services: {
      list: (context) => tables.services(context),
      byKey: (key, context) => tables.first('service', [key], null, context),
    },
    syncs: { list: (approved, context) => tables.syncsOf([NO_REPOSITORY, ...(approved?.refs ?? [])], context) },
    configurations: { list: (context) => tables.syncsFrom(CONFIGURATION_PREFIX, context) },
  };
}

/** Reads the stored ones of some approved repositories, in the order of the refs. @param limit how many the caller needs; `null` for all */
export type ReadRepositories = (
  approved: ApprovedRepositories,
  refs: readonly RepositoryRef[],
  limit: number | null,
  context: ReadContext,
) => Promise<readonly Repository[]>;

/** The reader of repositories of a store that finds them by their refs. Approved refs are in the order of the list. */
export function repositoryReader(read: ReadRepositories): RepositoryReader {
  return {
    list: async (approved, { limit, after }, context) => {
      const refs = approved.refs.filter((ref) => after === null || compareText(nameOfRef(ref), after.fullName) > 0);
      const found = await read(approved, refs, limit + 1, context);
      return pageOf(found, limit, ({ repositoryRef }) => ({ fullName: nameOfRef(repositoryRef) }));
    },
    byRefs: (approved, refs, context) => {
      const admitted = [...new Set(refs)].filter((ref) => approved.admits(ref));
      return read(approved, admitted, null, context);
    },
  };
}

function askedFilters(kind: ListedKind, query: object): readonly AskedFilter[] {
  const given = query as Readonly<Record<string, FilterValue | undefined>>;
  return Object.entries<string>(KINDS[kind].filters).flatMap(([name, path]) => {
    const values = acceptedValues(given[name]);
    return values === null ? [] : [{ name, path, values }];
  });
}

/** The keys that a record with this id can have, in the order of the names of the repositories. */
function keysOf({ scopes }: ApprovedRepositories, idKey: string): readonly string[] {
  return [...scopes].sort((a, b) => compareText(nameOfRef(a), nameOfRef(b))).map((scope) => keyFor(idKey, scope));
}
