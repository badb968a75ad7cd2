import type { Check } from '../kinds/check.js';
import type { Commit } from '../kinds/commit.js';
import type { Incident } from '../kinds/incident.js';
import type { Instant } from '../kinds/instant.js';
import { KINDS, LISTED_KINDS } from '../kinds/kinds.js';
import type { FilterOf, ListedKind, OnlyListedKind, ReadKind, PluralOf, RecordOf, ScopedKind } from '../kinds/kinds.js';
import type { News } from '../kinds/news.js';
import type { FilterValue, NamePosition, Page, PageRequest, TimePosition } from '../kinds/page.js';
import type { RepositoryRef } from '../kinds/repository-name.js';
import type { Repository } from '../kinds/repository.js';
import type { SearchEntry, SearchPosition, SearchType } from '../kinds/search.js';
import type { Service } from '../kinds/service.js';
import type { StatusDay, StatusHour, Tally, TallyWindow, Window } from '../kinds/status-day.js';
import type { Sync, SyncTimes } from '../kinds/sync.js';
import type { ApprovedRepositories } from '../rules/allowlist.js';
import type { PresentChecks } from '../rules/evidence.js';
import type { SearchWords } from '../rules/search-words.js';

/** Passed to every read and write. */
export interface ReadContext {
  /** Cancels the call. The call then rejects with the signal's reason or an `UnavailableError`. */
  readonly signal: AbortSignal;
}

/** The query of every list in time order. `from` and `to` are inclusive. Adapters read `limit + 1` records to know whether there is a next page. */
export interface TimeListQuery extends PageRequest<TimePosition> {
  readonly from: Instant | null;
  /** Always present, because no list contains records with a future time. */
  readonly to: Instant;
}

/** Newest first, then by key. Every page but the last is full: permission and filters are part of the query. */
export type TimePage<Record> = Page<Record, TimePosition>;

/** The filters of a kind's list. */
export type ListFilters<Kind extends ListedKind> = { readonly [Name in FilterOf<Kind>]: FilterValue };

/** The query of a kind's list. Its filters are those that `KINDS` names. */
export type ListQuery<Kind extends ScopedKind> = TimeListQuery & ListFilters<Kind>;

export interface ListReader<Kind extends ScopedKind> {
  list(approved: ApprovedRepositories, query: ListQuery<Kind>, context: ReadContext): Promise<TimePage<RecordOf<Kind>>>;
}

export interface RecordReader<Kind extends ScopedKind> extends ListReader<Kind> {
  /** If two approved repositories use the same id, the record of the one whose name sorts first. @param idKey the public id; of a release as `releaseIdKey` returns it */
  byId(approved: ApprovedRepositories, idKey: string, context: ReadContext): Promise<RecordOf<Kind> | null>;
}

/** The readers of all kinds without a separate port, by the plural of the kind. */
export type KindReaders = { readonly [Kind in ReadKind as PluralOf<Kind>]: RecordReader<Kind> } & {
  readonly [Kind in OnlyListedKind as PluralOf<Kind>]: ListReader<Kind>;
};

type KindWithoutOwnPort = ReadKind | OnlyListedKind;

function hasNoOwnPort(kind: ListedKind): kind is KindWithoutOwnPort {
  return KINDS[kind].reader !== 'own';
}

/** Makes the reader of each of these kinds, for an adapter that has one class for all of them. */
export function readersOfKinds(make: <Kind extends KindWithoutOwnPort>(kind: Kind) => RecordReader<Kind>): KindReaders {
  // TypeScript cannot follow that each name gets the reader of its own kind.
  return Object.fromEntries(LISTED_KINDS.filter(hasNoOwnPort).map((kind) => [KINDS[kind].plural, make(kind)])) as unknown as KindReaders;
}

/** The filter `author` is a login in any letter case, or an exact author name. */
export interface CommitReader extends ListReader<'commit'> {
  /**
   * The commits whose sha starts with the prefix, sorted by sha. If several repositories have the same sha, only the commit of the repository whose
   * name sorts first. At most two commits: two show the caller that the prefix is ambiguous.
   *
   * @param prefix 7 to 64 lower-case hexadecimal digits
   */
  bySha(approved: ApprovedRepositories, prefix: string, context: ReadContext): Promise<readonly Commit[]>;
}

export type NewsQuery = TimeListQuery & ListFilters<'news'>;

export interface NewsReader {
  list(query: NewsQuery, context: ReadContext): Promise<TimePage<News>>;
  byId(id: string, context: ReadContext): Promise<News | null>;
}

/** The filter `service` is a service key, and `covers` the id of a detected incident: only incidents that cover it. */
export interface IncidentQuery extends TimeListQuery, ListFilters<'incident'> {
  /** Incidents that start later are excluded, except planned maintenance. */
  readonly notAfter: Instant;
}

export interface IncidentReader {
  list(query: IncidentQuery, context: ReadContext): Promise<TimePage<Incident>>;
  byId(id: string, context: ReadContext): Promise<Incident | null>;
  /** The unresolved incidents, newest first, at most 100. Those that start after `notAfter` are excluded, except planned maintenance. */
  unresolved(notAfter: Instant, context: ReadContext): Promise<readonly Incident[]>;
}

export type RepositoryQuery = PageRequest<NamePosition>;

export interface RepositoryReader {
  /** By lower-case name, ascending. */
  list(approved: ApprovedRepositories, query: RepositoryQuery, context: ReadContext): Promise<Page<Repository, NamePosition>>;
  /** The repositories of those refs that are approved and stored, in any order. */
  byRefs(approved: ApprovedRepositories, refs: readonly RepositoryRef[], context: ReadContext): Promise<readonly Repository[]>;
}

export interface ServiceReader {
  /** All services, sorted by key. */
  list(context: ReadContext): Promise<readonly Service[]>;
  byKey(key: string, context: ReadContext): Promise<Service | null>;
}

export interface SyncReader {
  /** The sync records of sources that feed no repository and, where approved ones are given, of those that feed these. */
  list(approved: ApprovedRepositories | null, context: ReadContext): Promise<readonly SyncTimes[]>;
}

/** What the ids of these records begin with. */
export const CONFIGURATION_PREFIX = 'configuration:';

/** Reads the memory of collectors about their configurations. For the processes that use a store; no answer shows it. */
export interface ConfigurationReader {
  /** The sync records whose ids begin with {@link CONFIGURATION_PREFIX}, with their states, by id. */
  list(context: ReadContext): Promise<readonly Sync[]>;
}

/** The numbers of commits and releases of one UTC day. */
export interface ActivityDay {
  /** The start of the day. */
  readonly day: Instant;
  readonly commits: number;
  readonly releases: number;
}

export interface ActivityQuery {
  /** The start of a UTC day. */
  readonly from: Instant;
  /** The last moment that counts. It may be in the middle of a day: later records of that day are not counted. */
  readonly to: Instant;
}

export interface ActivityReader {
  /**
   * How many commits and releases of the approved repositories have a time in the range, by UTC day, in any order. Days without any may be absent. The
   * time of a record is the one that sorts its list. Permission is part of the query. The number of queries must not depend on the number of days or
   * repositories.
   */
  days(approved: ApprovedRepositories, query: ActivityQuery, context: ReadContext): Promise<readonly ActivityDay[]>;
}

export interface SearchQuery extends PageRequest<SearchPosition> {
  /** At least one word. */
  readonly words: SearchWords;
  readonly types: readonly SearchType[];
  /** Records with a later time are not found, except planned maintenance. */
  readonly to: Instant;
}

export interface FoundPage extends Page<SearchEntry, SearchPosition> {
  /** The share of approved records that can be found, from 0 to below 1. Absent if all of them can. */
  readonly searchable?: number;
}

export interface SearchReader {
  /** Title hits first, then by time, type and key. An entry whose record no longer matches is skipped, and the page is still full. */
  search(approved: ApprovedRepositories, query: SearchQuery, context: ReadContext): Promise<FoundPage>;
}

interface ServicesQuery {
  /** `null` means all services. */
  readonly serviceKeys: readonly string[] | null;
}

export interface SumsQuery extends ServicesQuery {
  /** They begin at a full hour and end at the start of a UTC day, which is not included. */
  readonly ranges: readonly TallyWindow[];
}

export interface PresentQuery extends ServicesQuery {
  readonly now: Instant;
}

export interface DaysQuery extends ServicesQuery {
  /** Starts of UTC days. The day that begins at `to` is not included. */
  readonly window: TallyWindow;
}

/**
 * Reads checks and their stored counts. A service without a result is absent from the maps. The number of queries must not depend on the number of
 * services or days. The use cases make figures of it: a window is a sum of stored days, stored hours and the raw checks of the present hour.
 */
export interface CheckReader {
  /** For each service that has a stored day, the sum of each range, in the same order. */
  sums(query: SumsQuery, context: ReadContext): Promise<ReadonlyMap<string, readonly Tally[]>>;
  /** Every service that has a check or a stored day. */
  present(query: PresentQuery, context: ReadContext): Promise<ReadonlyMap<string, PresentChecks>>;
  /** The stored days in the window without their hours, oldest first. */
  days(query: DaysQuery, context: ReadContext): Promise<ReadonlyMap<string, readonly StatusDay[]>>;
  /** The stored hours of a service in the window, oldest first. It begins and ends at full hours; the hour that begins at `to` is not included. */
  hours(serviceKey: string, window: Window, context: ReadContext): Promise<readonly StatusHour[]>;
  /** Raw checks, newest first, then by source. The `id` of a position is the source. */
  list(serviceKey: string, query: TimeListQuery, context: ReadContext): Promise<TimePage<Check>>;
}
