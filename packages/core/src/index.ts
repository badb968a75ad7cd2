export { isListedKind, isOfDay, publicId, isPublicId } from './kinds/identity.js';
export {
  idKeyOf,
  idKeyOfPublicId,
  releaseIdKey,
  scopeOf,
  recordKey,
  keyFor,
  scopeTag,
  timeOf,
  positionOf,
  comparePositions,
} from './kinds/identity.js';
export { byKind, FACTS, fieldsWhere, KINDS, LISTED_KINDS, isOfKind } from './kinds/kinds.js';
export type {
  DescribedRecords,
  FilterOf,
  ListedKind,
  ListedRecord,
  ListedRecords,
  OwnedKind,
  PlainKind,
  PluralOf,
  RecordOf,
  ScopedKind,
  SentOf,
  ShownKind,
} from './kinds/kinds.js';
export { textsAt, type AnyField, type AnyFields, type KindFacts, type TextForm } from './kinds/fields.js';
export type { DayIdentity, StoredRecord, RecordKind, RecordIdentity } from './kinds/identity.js';
export { keyOfIdentity, type PlainRecord, type PlainIdentity } from './kinds/identity.js';
export { ARTICLE_KINDS, BODY_FORMATS, ARTICLE_CHANGE_TYPES, headingId } from './kinds/article.js';
export type { ArticleKind, BodyFormat, ArticleChange, Article } from './kinds/article.js';
export { IMAGE_NAME, imageFormatOf, type Image } from './kinds/image.js';
export type { News } from './kinds/news.js';
export type { Video } from './kinds/video.js';
export type { ActivityDay } from './ports/readers.js';
export { CHANGE_TYPES, MAX_CHANGED_PATHS, type Commit } from './kinds/commit.js';
export { FINDING_STATUSES, type FindingEvidence, type Finding } from './kinds/finding.js';
export { MAX_ASSETS, RELEASE_TYPES, type Release, type ReleaseAsset } from './kinds/release.js';
export { isSha, parseShaPrefix } from './kinds/commit.js';
export {
  NO_REPOSITORY,
  parseRepositoryName,
  asciiLowerCase,
  isForgeId,
  repositoryRefOf,
  isRepositoryRef,
  nameOfRef,
} from './kinds/repository-name.js';
export type { RepositoryRef, ScopeRef, RepositoryName } from './kinds/repository-name.js';
export { releaseSummary } from './kinds/repository.js';
export type { ReleaseSummary, RepositoryRecord, Repository, WithRepository, WithOptionalRepository } from './kinds/repository.js';
export { REPOSITORY_SEARCH_TIME, SERVICE_SEARCH_TIME } from './kinds/search.js';
export type { SearchField, SearchPosition, SearchEntry } from './kinds/search.js';
export { SEARCH_TYPES, SEARCHED_KINDS, kindOfType, type SearchType } from './kinds/search.js';
export type { SearchableRecord } from './kinds/search.js';
export { DomainError, NotFoundError, InvalidInputError, UnavailableError, type DomainErrorKind } from './kinds/domain-error.js';
export {
  SECOND,
  MINUTE,
  HOUR,
  DAY,
  EARLIEST_INSTANT,
  LATEST_INSTANT,
  isInstant,
  isTimeZone,
  parseDate,
  parseDateTime,
  formatInstant,
  formatDate,
  startOfDay,
  startOfMonth,
  earliestOf,
  startOfHour,
} from './kinds/instant.js';
export type { Instant } from './kinds/instant.js';
export { acceptedValues, pageOf, type FilterValue, type TimePosition, type NamePosition, type IdPosition, type Page } from './kinds/page.js';
export type { Provenance } from './kinds/provenance.js';
export { CONFIGURATION, SOURCE_TYPES, SYNCED_KINDS, syncOf } from './kinds/sync.js';
export type { SourceType, Sync, SyncFields, SyncTimes, SyncedKind } from './kinds/sync.js';
export { compareText, grouped } from './kinds/page.js';
export {
  MAX_RESPONSE_TIME_MS,
  MIN_VALIDITY_MS,
  MAX_VALIDITY_MS,
  SHORTEST_VALIDITY_MS,
  CHECK_CLOCK_TOLERANCE_MS,
  UNCONFIRMED,
  validityOf,
  type Check,
} from './kinds/check.js';
export { INCIDENT_KINDS, INCIDENT_STATES, INCIDENT_IMPACTS, isUnresolved, withoutCovered } from './kinds/incident.js';
export type { IncidentState, IncidentService, IncidentUpdate, Incident } from './kinds/incident.js';
export { LatencyBuilder, mergeHistograms, NO_LATENCY } from './kinds/latency.js';
export type { LatencyHistogram, LatencySummary } from './kinds/latency.js';
export type { ServiceEvidence } from './kinds/service-status.js';
export { SERVICE_STATES, severityOf, worstOf, isRated, type ServiceState, type StateCounts } from './kinds/check.js';
export { UPTIME_WINDOWS, UPTIME_WINDOW_DAYS } from './kinds/service-status.js';
export type {
  UptimeWindowName,
  UptimeFigure,
  DayFigures,
  LastDays,
  ServiceDetail,
  ServiceMonth,
  ServiceStatus,
  StatusOverview,
  PeriodStatus,
} from './kinds/service-status.js';
export { dayKeyOf } from './kinds/status-day.js';
export type { Carry, CheckIdentity, Claim, ServiceDay, StatusDay, StatusHour, Tally, TallyWindow, Window } from './kinds/status-day.js';
export type { Service } from './kinds/service.js';
export { BUILD_STATES, type BuildState, type Build } from './kinds/build.js';
export { MISSION_STATUSES, type MissionStatus, type Mission } from './kinds/mission.js';
export { ApprovedRepositories, Allowlist, type AllowlistEntry } from './rules/allowlist.js';
export { isApprovedChange } from './rules/approvals.js';
export { approvedEntries, candidateEntries, type ApprovalFacts, type ApprovalPattern, type ListedRepository } from './rules/approvals.js';
export { changeTypeOf } from './rules/change-type.js';
export { compareHits, matchFields, matchRecord, searchPositionOf, type FieldMatch } from './rules/search-fields.js';
export { combinedStatus, EVERY_SOURCE, freshnessOf, SOURCE_STATES, sourceStateChangesAt, sourceStateOf } from './rules/freshness.js';
export type { AnswerKinds, DataStatus, Freshness, SourceScope, SourceState } from './rules/freshness.js';
export { compareSources, type Statement } from './rules/vouched-record.js';
export { lengthInWords } from './rules/length-in-words.js';
export { detectedOutages, MISSED, outageMarks, OutageTimeline, type Outage, type OutageMarks, type OutageRun } from './rules/detected-outages.js';
export { keepFirst } from './rules/stored-record.js';
export { nearest } from './rules/quotable.js';
export {
  ANYTHING,
  assertOptions,
  CLOCK,
  FLAG,
  given,
  hasMethod,
  LIST,
  OBJECT,
  orNull,
  required,
  TEXT,
  wholeUpTo,
  type Rule,
  type RulesOf,
} from './rules/rules-of-arguments.js';
export { withOwnAddresses, type ScopedRecord } from './rules/own-url.js';
export { ownUrl, withoutFinalSlashes } from './rules/own-url.js';
export { publishableAuthor, publishableBranch, publishableRecord, publishableRelease, type UnpublishableReason } from './rules/publishable-record.js';
export { quotable, MAX_QUOTED } from './rules/quotable.js';
export { withServiceAddress } from './rules/own-url.js';
export { withoutCredentials } from './rules/quotable.js';
export { repositoryWithoutRecord } from './rules/own-url.js';
export { Retention, type ClockDoubt } from './rules/retention-clock.js';
export { sameInAnswers } from './rules/stored-record.js';
export { sameValue } from './rules/stored-record.js';
export { RecordWords } from './rules/search-fields.js';
export { isFoundUntil, scopeOfRecord, searchTimeOf, searchedRepositoryOf } from './rules/search-fields.js';
export { isSearchable, searchTypeOf, searchFieldsOf } from './rules/search-fields.js';
export { MIN_QUERY_LENGTH, MAX_QUERY_LENGTH, normalizeQuery, searchWordsOf, isShaAbbreviation, type SearchWords } from './rules/search-words.js';
export { currentState, currentStateChangesAt, decidingChecks, lastKnownState } from './rules/service-status.js';
export {
  uptimeWindows,
  serviceStatusOf,
  dayFiguresOf,
  UNCHECKED_DAY,
  serviceJudgedAgain,
  serviceChangesAt,
  statusJudgedAgain,
  statusChangesAt,
  overallStateChangesAt,
  periodStatusOf,
} from './rules/service-status.js';
export { checkedDayOf, type CheckedDay } from './rules/evidence.js';
export { changeByPut, changeByRemoval, changedDays, putOnDays, removeFromDays } from './rules/changing-days.js';
export type { ApplyToDays, ChangedDays, ChangeOfDay, DayChanges, RecountedDay, StoredDays } from './rules/changing-days.js';
export { countDay, type DayChange, type KeptHours, type Recount } from './rules/count-day.js';
export { evidenceOf, pastRanges, presentRange, recentHours, type PresentChecks } from './rules/evidence.js';
export { rangeParts, sumsOfParts, type RangePart } from './rules/evidence.js';
export { latestStateAfter, latestStateFrom, withNewest, type LatestOfSource, type LatestState } from './rules/count-day.js';
export { NEVER_COVERED, NOTHING_CARRIED, reaches, type CountedCheck } from './rules/timeline.js';
export { NO_CHECKS, NO_TALLY, TallyBuilder, mergeTallies, countedAt, compareDuplicates, tallyOf, tallyOfPeriod } from './rules/uptime.js';
export { queryWords, entryWords } from './rules/search-words.js';
export type { VouchedRecord, Voucher } from './rules/vouched-record.js';
export { sameVouchers, statedBy, vouchedRecord, vouchersOf, withoutStatement, withStatement } from './rules/vouched-record.js';
export { ratedChecks, uptimeOf, coveragePercent, stateOfDay } from './rules/uptime.js';
export { holdsEmail, withoutEmail } from './rules/without-email.js';
export type { ActivityQuery, ActivityReader } from './ports/readers.js';
export type { ChangeFeed, ChangesSince, FeedChange, FeedPosition, FeedQuery, StoreChange, SyncEffect } from './ports/changes.js';
export { ChangeSet } from './ports/changes.js';
export type { CheckReader, DaysQuery, PresentQuery, SumsQuery } from './ports/check-reader.js';
export { DEFAULT_RETENTION_MS, type Clock, type QuarantineMonitor, type RecordStoreOptions } from './ports/store.js';
export type { CollectionReader, StatedRecord } from './ports/collection-reader.js';
export type { CommitReader } from './ports/readers.js';
export type { Deadlines } from './ports/store.js';
export type { GateMonitor } from './ports/store.js';
export type { IncidentQuery, IncidentReader } from './ports/readers.js';
export { LeaseInUseError, LostLeaseError, type Lease, type LeaseOptions } from './ports/lease.js';
export type { KindReaders } from './ports/readers.js';
export { firstOfEachSha, recordReaders, scopesRead, type AskedFilter, type PageQuestion, type RecordTables } from './ports/record-tables.js';
export type { NewsQuery, NewsReader } from './ports/readers.js';
export type { ReadContext } from './ports/readers.js';
export type { ListFilters, ListQuery, ListReader, RecordReader } from './ports/readers.js';
export { givenRecords, type GivenRecord } from './ports/record-writer.js';
export type { CallContext, RefusedRecord, PutContext, PutReport, BranchChange, RecordWriter } from './ports/record-writer.js';
export type { RecordScan, ScanQuery } from './ports/collection-reader.js';
export type { RepositoryQuery, RepositoryReader } from './ports/readers.js';
export type { FoundPage, SearchQuery, SearchReader } from './ports/readers.js';
export type { ServiceReader } from './ports/readers.js';
export type { AnswerReaders, IndexedBesideStore, RecordStore, StoreReaders } from './ports/store.js';
export type { SyncReader } from './ports/readers.js';
export { CONFIGURATION_PREFIX, type ConfigurationReader } from './ports/readers.js';
export type { TimeListQuery, TimePage } from './ports/readers.js';
export { follow } from './use-cases/follow.js';
export { createUseCases } from './use-cases/create-use-cases.js';
export { wireUseCases, type UseCaseOptions, type UseCases } from './use-cases/wire-use-cases.js';
export { GetNews } from './use-cases/content/news.js';
export { ListNews, type ListNewsInput } from './use-cases/content/news.js';
export { GetImage, type ImageView } from './use-cases/content/get-image.js';
export { GetCommit, type GetCommitInput } from './use-cases/development/get-commit.js';
export { MAX_ACTIVITY_DAYS, ListActivity, type ListActivityInput } from './use-cases/development/list-activity.js';
export { OVERVIEW_NEWS, GetOverview, type Overview, type OverviewReaders } from './use-cases/overview/get-overview.js';
export { HUB_LENGTH, GetRepositoryHub, type RepositoryHub, type HubReaders } from './use-cases/repositories/get-repository-hub.js';
export { GetRepository, type RepositoryInput } from './use-cases/repositories/repositories.js';
export { ListSources, type ListSourcesInput, type SourceStatus } from './use-cases/sources/list-sources.js';
export { ListRepositories, type ListRepositoriesInput } from './use-cases/repositories/repositories.js';
export { hitJudgedAgain, type SearchResult } from './use-cases/search/search-result.js';
export { Search, type SearchInput } from './use-cases/search/search.js';
export { unreadable, type Warning, type Answer, type ComposedAnswer, type PageAnswer } from './use-cases/shared/answer.js';
export { FreshnessJudge } from './use-cases/shared/answer.js';
export { GetRecord } from './use-cases/shared/records.js';
export { ListRecords, type ListRecordsInput } from './use-cases/shared/records.js';
export { RepositoryGate, type ViewOf } from './use-cases/shared/records.js';
export { ScopedRecords, type TimeListInput, type ScopedListInput, type IdInput } from './use-cases/shared/records.js';
export { SOURCE_DEADLINE_MS, Sources } from './use-cases/shared/answer.js';
export type { UseCaseContext, PartialContext } from './use-cases/shared/answer.js';
export { latestVisible, isVisible } from './use-cases/shared/answer.js';
export { GetIncident } from './use-cases/status/incidents.js';
export { GetService, type ServiceInput } from './use-cases/status/services.js';
export { GetStatus, ListServices, type GetStatusInput, type StatusAnswer } from './use-cases/status/services.js';
export { ListIncidents, type ListIncidentsInput } from './use-cases/status/incidents.js';
export { ListServiceChecks, type ListServiceChecksInput } from './use-cases/status/services.js';
export { MAX_HISTORY_DAYS, MAX_HOURLY_DAYS, ListServicePeriods } from './use-cases/status/list-service-periods.js';
export type { ListServicePeriodsInput, PeriodPosition, PeriodReaders } from './use-cases/status/list-service-periods.js';
export { ServiceBoard, type ServiceBoardOptions } from './use-cases/status/service-board.js';
export { StatusBoard, type StatusReaders } from './use-cases/status/status-board.js';
export { neighboursOf, type Neighbours, type ReadListPage } from './use-cases/shared/neighbours.js';
