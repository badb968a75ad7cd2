export { publicId, isPublicId } from './domain/public-id.js';
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
} from './domain/record-key.js';
export { KINDS, LISTED_KINDS, isListedKind, isOfKind } from './domain/kinds.js';
export type { FilterOf, ListedKind, ListedRecord, ListedRecords, PlainKind, PluralOf, RecordOf, ScopedKind } from './domain/kinds.js';
export type { KindFacts } from './domain/kind-facts.js';
export type { StoredRecord, RecordKind, RecordIdentity } from './domain/record.js';
export { keyOfIdentity, type PlainRecord, type PlainIdentity } from './domain/identity-key.js';
export { ARTICLE_KINDS, BODY_FORMATS, ARTICLE_CHANGE_TYPES } from './domain/content/article.js';
export type { ArticleKind, BodyFormat, ArticleChange, Article } from './domain/content/article.js';
export type { News } from './domain/content/news.js';
export type { Video } from './domain/content/video.js';
export type { ActivityDay } from './domain/development/activity.js';
export { MAX_CHANGED_PATHS, type Commit } from './domain/development/commit.js';
export type { FindingEvidence, Finding } from './domain/development/finding.js';
export { MAX_ASSETS, type Release, type ReleaseAsset } from './domain/development/release.js';
export { isSha, parseShaPrefix } from './domain/development/sha.js';
export {
  NO_REPOSITORY,
  parseRepositoryName,
  asciiLowerCase,
  isForgeId,
  repositoryRefOf,
  isRepositoryRef,
  nameOfRef,
} from './domain/repositories/repository-name.js';
export type { RepositoryRef, ScopeRef, RepositoryName } from './domain/repositories/repository-name.js';
export type { ReleaseSummary, RepositoryRecord, Repository, WithRepository, WithOptionalRepository } from './domain/repositories/repository.js';
export { REPOSITORY_SEARCH_TIME, SERVICE_SEARCH_TIME } from './domain/search/search-entry.js';
export type { SearchField, SearchPosition, SearchEntry } from './domain/search/search-entry.js';
export { SEARCH_TYPES, type SearchType } from './domain/search/search-types.js';
export type { SearchableRecord } from './domain/search/searchable-record.js';
export { DomainError, NotFoundError, InvalidInputError, UnavailableError, type DomainErrorKind } from './domain/shared/domain-error.js';
export {
  SECOND,
  MINUTE,
  HOUR,
  DAY,
  EARLIEST_INSTANT,
  LATEST_INSTANT,
  isInstant,
  parseDate,
  parseDateTime,
  formatInstant,
  formatDate,
  startOfDay,
  startOfMonth,
  earliestOf,
  startOfHour,
} from './domain/shared/instant.js';
export type { Instant } from './domain/shared/instant.js';
export { pageOf, type TimePosition, type NamePosition, type SourcePosition, type Page } from './domain/shared/page.js';
export type { Provenance } from './domain/shared/provenance.js';
export { CONFIGURATION, SOURCE_TYPES, SYNCED_KINDS, syncOf } from './domain/shared/sync.js';
export type { SourceType, Sync, SyncFields, SyncTimes, SyncedKind } from './domain/shared/sync.js';
export { compareText } from './domain/shared/text-order.js';
export {
  MAX_RESPONSE_TIME_MS,
  MIN_VALIDITY_MS,
  MAX_VALIDITY_MS,
  SHORTEST_VALIDITY_MS,
  CHECK_CLOCK_TOLERANCE_MS,
  UNCONFIRMED,
  validityOf,
  type Check,
} from './domain/status/check.js';
export { INCIDENT_KINDS, INCIDENT_STATES, INCIDENT_IMPACTS, isUnresolved, withoutCovered } from './domain/status/incident.js';
export type { IncidentState, IncidentService, IncidentUpdate, Incident } from './domain/status/incident.js';
export { LatencyBuilder, mergeHistograms, NO_LATENCY } from './domain/status/latency.js';
export type { LatencyHistogram, LatencySummary } from './domain/status/latency.js';
export type { ServiceEvidence } from './domain/status/service-evidence.js';
export { SERVICE_STATES, severityOf, worstOf, isRated, type ServiceState, type StateCounts } from './domain/status/service-state.js';
export { UPTIME_WINDOWS, UPTIME_WINDOW_DAYS } from './domain/status/service-status.js';
export type {
  UptimeWindowName,
  UptimeFigure,
  ServiceDetail,
  ServiceMonth,
  ServiceStatus,
  StatusOverview,
  PeriodStatus,
} from './domain/status/service-status.js';
export { dayKeyOf } from './domain/status/status-day.js';
export type { Carry, CheckIdentity, Claim, ServiceDay, StatusDay, StatusHour, Tally, TallyWindow, Window } from './domain/status/status-day.js';
export type { Service } from './domain/status/service.js';
export { BUILD_STATES, type BuildState, type Build } from './domain/work/build.js';
export { MISSION_STATUSES, type MissionStatus, type Mission } from './domain/work/mission.js';
export { ApprovedRepositories, Allowlist, type AllowlistEntry } from './policies/allowlist.js';
export { isApprovedChange } from './policies/approved-change.js';
export { approvedEntries, candidateEntries, type ApprovalFacts, type ApprovalPattern, type ListedRepository } from './policies/approved-entries.js';
export { changeTypeOf } from './policies/change-type.js';
export { matchFields, type FieldMatch } from './policies/field-match.js';
export { combinedStatus, EVERY_SOURCE, freshnessOf, SOURCE_STATES, sourceStateChangesAt, sourceStateOf } from './policies/freshness.js';
export type { AnswerKinds, DataStatus, Freshness, SourceScope, SourceState } from './policies/freshness.js';
export { compareSources, type Statement } from './policies/field-authority.js';
export { detectedOutages, outageMarks, OutageTimeline, type Outage, type OutageMarks, type OutageRun } from './policies/detected-outages.js';
export { keepFirst } from './policies/keep-first.js';
export { nearest } from './policies/nearest.js';
export { withOwnAddresses, type ScopedRecord } from './policies/own-addresses.js';
export { ownUrl, withoutFinalSlashes } from './policies/own-url.js';
export {
  publishableAuthor,
  publishableBranch,
  publishableRecord,
  publishableRelease,
  type UnpublishableReason,
} from './policies/publishable-record.js';
export { quotable, MAX_QUOTED } from './policies/quotable.js';
export { withServiceAddress } from './policies/service-address.js';
export { withoutCredentials } from './policies/without-credentials.js';
export { repositoryWithoutRecord } from './policies/repository-without-record.js';
export { RetentionClock, type ClockDoubt, type ClockReading, type Present, type StoredTimes } from './policies/retention-clock.js';
export { sameInAnswers } from './policies/same-in-answers.js';
export { sameValue } from './policies/same-value.js';
export { RecordWords } from './policies/record-words.js';
export { scopeOfRecord, searchTimeOf } from './policies/search-place.js';
export { isSearchable, searchTypeOf, searchFieldsOf, repositoryField } from './policies/search-fields.js';
export { MIN_QUERY_LENGTH, MAX_QUERY_LENGTH, normalizeQuery, searchWordsOf, isShaAbbreviation, type SearchWords } from './policies/search-words.js';
export { currentState, currentStateChangesAt, decidingChecks, lastKnownState } from './policies/service-state.js';
export {
  uptimeWindows,
  serviceStatusOf,
  serviceJudgedAgain,
  serviceChangesAt,
  statusJudgedAgain,
  statusChangesAt,
  overallStateChangesAt,
  periodStatusOf,
} from './policies/service-status.js';
export { checkedDayOf, type CheckedDay } from './policies/status-counts/checked-day.js';
export { countDay, keptHours, recountsOf, type DayChange, type KeptHours, type Recount } from './policies/status-counts/count-day.js';
export { evidenceOf, pastRanges, presentRange, recentHours, type PresentChecks } from './policies/status-counts/evidence.js';
export { rangeParts, sumsOfParts, type RangePart } from './policies/status-counts/range-parts.js';
export { latestStateAfter, withNewest, type LatestOfSource, type LatestState } from './policies/status-counts/latest-state.js';
export { NEVER_COVERED, NOTHING_CARRIED, reaches, reachOf, sameReach, type CountedCheck } from './policies/status-counts/timeline.js';
export { NO_CHECKS, NO_TALLY, TallyBuilder, mergeTallies, countedAt, compareDuplicates, tallyOf, tallyOfPeriod } from './policies/tally.js';
export { queryWords, entryWords } from './policies/tokenize.js';
export type { VouchedRecord, Voucher } from './policies/vouched-record.js';
export { sameVouchers, statedBy, vouchedRecord, vouchersOf, withoutStatement, withStatement } from './policies/vouched-record.js';
export { ratedChecks, uptimeOf, coveragePercent, stateOfDay } from './policies/uptime.js';
export { holdsEmail, withoutEmail } from './policies/without-email.js';
export type { ActivityQuery, ActivityReader } from './ports/activity-reader.js';
export type { ChangeFeed, ChangesSince, FeedChange, FeedPosition, FeedQuery, StoreChange, SyncEffect } from './ports/change-feed.js';
export { ChangeSet } from './ports/change-set.js';
export type { CheckReader, DaysQuery, PresentQuery, SumsQuery } from './ports/check-reader.js';
export type { Clock } from './ports/clock.js';
export type { CollectionReader, StatedRecord } from './ports/collection-reader.js';
export type { CommitReader } from './ports/commit-reader.js';
export type { Deadlines } from './ports/deadlines.js';
export type { GateMonitor } from './ports/gate-monitor.js';
export type { IncidentQuery, IncidentReader } from './ports/incident-reader.js';
export { readersOfKinds, type KindReaders } from './ports/kind-readers.js';
export type { NewsQuery, NewsReader } from './ports/news-reader.js';
export type { ReadContext } from './ports/read-context.js';
export type { ListFilters, ListQuery, ListReader, RecordReader } from './ports/record-reader.js';
export type { CallContext, RefusedRecord, PutContext, PutReport, BranchChange, RecordWriter, IndexReport } from './ports/record-writer.js';
export type { RecordScan, ScanQuery } from './ports/record-scan.js';
export type { RepositoryQuery, RepositoryReader } from './ports/repository-reader.js';
export type { FoundPage, SearchQuery, SearchReader } from './ports/search-reader.js';
export type { ServiceReader } from './ports/service-reader.js';
export type { AnswerReaders, RecordStore, StoreReaders } from './ports/store.js';
export type { SyncReader } from './ports/sync-reader.js';
export { CONFIGURATION_PREFIX, type ConfigurationReader } from './ports/configuration-reader.js';
export type { TimeListQuery, TimePage } from './ports/time-list.js';
export { follow } from './use-cases/follow.js';
export { createUseCases, type UseCaseOptions, type UseCases } from './use-cases/create-use-cases.js';
export { GetNews } from './use-cases/content/get-news.js';
export { ListNews, type ListNewsInput } from './use-cases/content/list-news.js';
export { GetCommit, type GetCommitInput } from './use-cases/development/get-commit.js';
export { MAX_ACTIVITY_DAYS, ListActivity, type ListActivityInput } from './use-cases/development/list-activity.js';
export { OVERVIEW_NEWS, GetOverview, type Overview, type OverviewReaders } from './use-cases/overview/get-overview.js';
export { HUB_LENGTH, GetRepositoryHub, type RepositoryHub, type HubReaders } from './use-cases/repositories/get-repository-hub.js';
export { GetRepository, type RepositoryInput } from './use-cases/repositories/get-repository.js';
export { ListSources, type ListSourcesInput, type SourceStatus } from './use-cases/sources/list-sources.js';
export { ListRepositories, type ListRepositoriesInput } from './use-cases/repositories/list-repositories.js';
export { hitJudgedAgain, type SearchResult } from './use-cases/search/search-result.js';
export { Search, type SearchInput } from './use-cases/search/search.js';
export { unreadable, type Warning, type Answer, type ComposedAnswer, type PageAnswer } from './use-cases/shared/answer.js';
export { FreshnessJudge } from './use-cases/shared/freshness-judge.js';
export { GetRecord } from './use-cases/shared/get-record.js';
export { ListRecords, type ListRecordsInput } from './use-cases/shared/list-records.js';
export { RepositoryGate, type ViewOf } from './use-cases/shared/repository-gate.js';
export { ScopedRecords, type TimeListInput, type ScopedListInput, type IdInput } from './use-cases/shared/scoped-records.js';
export { SOURCE_DEADLINE_MS, Sources } from './use-cases/shared/sources.js';
export type { UseCaseContext, PartialContext } from './use-cases/shared/use-case-context.js';
export { latestVisible, isVisible } from './use-cases/shared/visibility.js';
export {
  MAX_BOARD_DAYS,
  ListAllServiceDays,
  type BoardDay,
  type ListAllServiceDaysInput,
  type ServiceDays,
} from './use-cases/status/list-all-service-days.js';
export { GetIncident } from './use-cases/status/get-incident.js';
export { GetService, type ServiceInput } from './use-cases/status/get-service.js';
export { GetStatus } from './use-cases/status/get-status.js';
export { ListIncidents, type ListIncidentsInput } from './use-cases/status/list-incidents.js';
export { ListServiceChecks, type ListServiceChecksInput } from './use-cases/status/list-service-checks.js';
export { MAX_HISTORY_DAYS, MAX_HOURLY_DAYS, ListServicePeriods } from './use-cases/status/list-service-periods.js';
export type { ListServicePeriodsInput, PeriodPosition, PeriodReaders } from './use-cases/status/list-service-periods.js';
export { ServiceBoard, type ServiceBoardOptions } from './use-cases/status/service-board.js';
export { StatusBoard, type StatusReaders } from './use-cases/status/status-board.js';
export { neighboursOf, type Neighbours, type ReadListPage } from './use-cases/shared/neighbours.js';
