export { isListedKind, isOfDay, publicId, isPublicId, idKeyOf, releaseIdKey, scopeOf, keyFor } from './kinds/identity.js';
export { scopeTag, timeOf, positionOf, comparePositions, keyOfIdentity } from './kinds/identity.js';
export type { DayIdentity, StoredRecord, RecordKind, RecordIdentity, PlainRecord, PlainIdentity } from './kinds/identity.js';
export { byKind, FACTS, fieldsWhere, KINDS, LISTED_KINDS, PLAIN_KINDS, isOfKind } from './kinds/kinds.js';
export type { DescribedRecords, FilterOf, ListedKind, ListedRecord, ListedRecords, OwnedKind, PluralOf, RecordOf } from './kinds/kinds.js';
export type { ScopedKind, SentOf, ShownKind } from './kinds/kinds.js';
export { textsAt, type AnyField, type AnyFields, type KindFacts, type TextForm } from './kinds/fields.js';
export { ARTICLE_KINDS, BODY_FORMATS, ARTICLE_CHANGE_TYPES, headingId } from './kinds/article.js';
export type { ArticleKind, BodyFormat, ArticleChange, Article } from './kinds/article.js';
export { IMAGE_NAME, imageFormatOf, type Image } from './kinds/image.js';
export type { News } from './kinds/news.js';
export type { Video } from './kinds/video.js';
export { CONFIGURATION_PREFIX } from './ports/readers.js';
export type { ActivityDay, ActivityQuery, ActivityReader, CommitReader, IncidentQuery, IncidentReader, KindReaders } from './ports/readers.js';
export type { NewsQuery, NewsReader, ReadContext, ListFilters, ListQuery, ListReader, RecordReader, RepositoryQuery } from './ports/readers.js';
export type { RepositoryReader, FoundPage, SearchQuery, SearchReader, ServiceReader, SyncReader, ConfigurationReader } from './ports/readers.js';
export type { TimeListQuery, TimePage } from './ports/readers.js';
export { CHANGE_TYPES, MAX_CHANGED_PATHS, isSha, parseShaPrefix, type Commit } from './kinds/commit.js';
export { FINDING_STATUSES, type FindingEvidence, type Finding } from './kinds/finding.js';
export { MAX_ASSETS, RELEASE_TYPES, type Release, type ReleaseAsset } from './kinds/release.js';
export { NO_REPOSITORY, parseRepositoryName, asciiLowerCase, isForgeId, repositoryRefOf, isRepositoryRef } from './kinds/repository-name.js';
export { nameOfRef } from './kinds/repository-name.js';
export type { RepositoryRef, ScopeRef, RepositoryName } from './kinds/repository-name.js';
export { releaseSummary } from './kinds/repository.js';
export type { ReleaseSummary, RepositoryRecord, Repository, WithRepository, WithOptionalRepository } from './kinds/repository.js';
export { REPOSITORY_SEARCH_TIME, SERVICE_SEARCH_TIME, SEARCH_TYPES, SEARCHED_KINDS, kindOfType } from './kinds/search.js';
export type { SearchField, SearchPosition, SearchEntry, SearchType, SearchableRecord } from './kinds/search.js';
export { DomainError, NotFoundError, InvalidInputError, UnavailableError, type DomainErrorKind } from './kinds/domain-error.js';
export { SECOND, MINUTE, HOUR, DAY, EARLIEST_INSTANT, LATEST_INSTANT, isInstant, isTimeZone, parseDate, parseDateTime } from './kinds/instant.js';
export { formatInstant, formatDate, startOfDay, startOfMonth, earliestOf, startOfHour } from './kinds/instant.js';
export type { Instant } from './kinds/instant.js';
export { acceptedValues, pageOf, compareText, grouped, inParts, remembered } from './kinds/page.js';
export type { FilterValue, TimePosition, NamePosition, IdPosition, Page, PageRequest } from './kinds/page.js';
export type { Provenance } from './kinds/provenance.js';
export { CONFIGURATION, SOURCE_TYPES, SYNCED_KINDS, syncOf } from './kinds/sync.js';
export type { SourceType, Sync, SyncFields, SyncTimes, SyncedKind } from './kinds/sync.js';
export { MAX_RESPONSE_TIME_MS, MIN_VALIDITY_MS, MAX_VALIDITY_MS, SHORTEST_VALIDITY_MS, CHECK_CLOCK_TOLERANCE_MS } from './kinds/check.js';
export { UNCONFIRMED, validityOf, SERVICE_STATES, severityOf, worstOf, isRated } from './kinds/check.js';
export type { Check, ServiceState, StateCounts } from './kinds/check.js';
export {
  INCIDENT_KINDS,
  INCIDENT_STATES,
  DECLARED_STATES,
  MAINTENANCE_STATES,
  INCIDENT_IMPACTS,
  incidentStatesOf,
  isUnresolved,
  withoutCovered,
} from './kinds/incident.js';
export type { IncidentState, IncidentService, IncidentUpdate, Incident } from './kinds/incident.js';
export { LatencyBuilder, mergeHistograms, NO_LATENCY, type LatencyHistogram, type LatencySummary } from './kinds/latency.js';
export { UPTIME_WINDOWS, UPTIME_WINDOW_DAYS } from './kinds/service-status.js';
export type { ServiceEvidence, UptimeWindowName, UptimeFigure, DayFigures, LastDays, ServiceDetail, ServiceMonth } from './kinds/service-status.js';
export type { ServiceStatus, StatusOverview, PeriodStatus } from './kinds/service-status.js';
export { dayKeyOf } from './kinds/status-day.js';
export type { Carry, CheckIdentity, Claim, ServiceDay, StatusDay, StatusHour, Tally, TallyWindow, Window } from './kinds/status-day.js';
export type { Service } from './kinds/service.js';
export { BUILD_STATES, type BuildState, type Build } from './kinds/build.js';
export { MISSION_STATUSES, type MissionStatus, type Mission } from './kinds/mission.js';
export { ApprovedRepositories, Allowlist, type AllowlistEntry } from './rules/allowlist.js';
export { isApprovedChange, approvedEntries, candidateEntries } from './rules/approvals.js';
export type { ApprovalFacts, ApprovalPattern, ListedRepository } from './rules/approvals.js';
export { changeTypeOf } from './rules/change-type.js';
export { compareHits, matchFields, matchRecord, searchPositionOf, RecordWords, isFoundUntil } from './rules/search-fields.js';
export { searchTimeOf, searchedRepositoryOf, isSearchable, searchTypeOf, searchFieldsOf } from './rules/search-fields.js';
export type { FieldMatch } from './rules/search-fields.js';
export { combinedStatus, EVERY_SOURCE, freshnessOf, SOURCE_STATES, sourceStateChangesAt, sourceStateOf } from './rules/freshness.js';
export type { AnswerKinds, DataStatus, Freshness, SourceScope, SourceState } from './rules/freshness.js';
export { type FoundVersion, type RecordChange, touchedRepositories, VouchedBatch } from './rules/vouched-batch.js';
export { WaitingCalls } from './rules/waiting-calls.js';
export { compareSources, sameVouchers, statedBy, vouchedRecord, vouchersOf, withoutStatement, withStatement } from './rules/vouched-record.js';
export type { PutOptions, Statement, VouchedRecord, Voucher } from './rules/vouched-record.js';
export { lengthInWords } from './rules/length-in-words.js';
export { detectedOutages, MISSED, outageMarks, OutageTimeline, type Outage, type OutageMarks, type OutageRun } from './rules/detected-outages.js';
export { keepFirst, sameInAnswers, sameValue } from './rules/stored-record.js';
export { nearest, quotable, MAX_QUOTED, withoutCredentials } from './rules/quotable.js';
export {
  ANYTHING,
  assertOptions,
  CLOCK,
  FLAG,
  FUNCTION,
  given,
  hasMethod,
  LIST,
  OBJECT,
  orNull,
  required,
  TEXT,
} from './rules/rules-of-arguments.js';
export { PERMISSION, SIGNAL, wholeUpTo } from './rules/rules-of-arguments.js';
export type { Rule, RulesOf } from './rules/rules-of-arguments.js';
export { withOwnAddresses, ownUrl, withoutFinalSlashes, withServiceAddress, repositoryWithoutRecord, type ScopedRecord } from './rules/own-url.js';
export { publishableAuthor, publishableBranch, publishableRecord, publishableRelease, type UnpublishableReason } from './rules/publishable-record.js';
export { Retention, type ClockDoubt } from './rules/retention.js';
export { MIN_QUERY_LENGTH, MAX_QUERY_LENGTH, normalizeQuery, searchWordsOf, isShaAbbreviation, queryWords } from './rules/search-words.js';
export { entryWords } from './rules/search-words.js';
export type { SearchWords } from './rules/search-words.js';
export { currentState, currentStateChangesAt, decidingChecks, lastKnownState, uptimeWindows, serviceStatusOf } from './rules/service-status.js';
export { dayFiguresOf, UNCHECKED_DAY, serviceJudgedAgain, serviceChangesAt, statusJudgedAgain, statusChangesAt } from './rules/service-status.js';
export { overallStateChangesAt, periodStatusOf } from './rules/service-status.js';
export { checkedDays, evidenceOf, pastRanges, presentByService, presentRange, recentHours, rangeParts, sumsOfParts } from './rules/evidence.js';
export type { CheckedDay, PresentChecks, RangePart } from './rules/evidence.js';
export { changeByPut, changeByRemoval, changedDays, momentOf, putOnDays, removeFromDays } from './rules/changing-days.js';
export type { ApplyToDays, ChangedDays, ChangeOfDay, DayChanges, Recount, RecountedDay, StoredDays } from './rules/changing-days.js';
export { countDay, latestStateAfter, latestStateFrom, withNewest, type KeptHours, type LatestOfSource, type LatestState } from './rules/count-day.js';
export { NOTHING_CARRIED, reaches, type CountedCheck } from './rules/timeline.js';
export { NO_CHECKS, NO_TALLY, TallyBuilder, mergeTallies, countedAt, compareDuplicates, tallyOf, tallyOfPeriod } from './rules/uptime.js';
export { ratedChecks, uptimeOf, coveragePercent, stateOfDay } from './rules/uptime.js';
export { holdsEmail, withoutEmail } from './rules/without-email.js';
export { ChangeSet } from './ports/changes.js';
export type { ChangeFeed, ChangesSince, FeedChange, FeedPosition, FeedQuery, StoreChange, SyncEffect } from './ports/changes.js';
export type { CheckReader, DaysQuery, PresentQuery, SumsQuery } from './ports/readers.js';
export { DEFAULT_RETENTION_MS } from './ports/store.js';
export type { Clock, QuarantineMonitor, RecordStoreOptions, Deadlines, GateMonitor, AnswerReaders, IndexedBesideStore } from './ports/store.js';
export type { RecordStore, StoreReaders } from './ports/store.js';
export type { CollectionReader, StatedRecord, RecordScan, ScanQuery } from './ports/collection-reader.js';
export { LeaseInUseError, LostLeaseError, type Lease, type LeaseOptions } from './ports/store.js';
export { firstOfEachSha, recordReaders, repositoryReader, scopesRead } from './ports/record-tables.js';
export type { AskedFilter, PageQuestion, RecordTables } from './ports/record-tables.js';
export { givenRecords } from './ports/record-writer.js';
export type { GivenRecord, CallContext, RefusedRecord, PutContext, PutReport, BranchChange, RecordWriter } from './ports/record-writer.js';
export { follow } from './use-cases/follow.js';
export { createUseCases, wireUseCases, type UseCaseOptions, type UseCases } from './use-cases/create-use-cases.js';
export { GetNews, ListNews, type ListNewsInput } from './use-cases/content/news.js';
export { GetImage, type ImageView } from './use-cases/content/get-image.js';
export { GetCommit, type GetCommitInput } from './use-cases/development/get-commit.js';
export { MAX_ACTIVITY_DAYS, ListActivity, type ListActivityInput } from './use-cases/development/list-activity.js';
export { OVERVIEW_NEWS, GetOverview, type Overview } from './use-cases/overview/get-overview.js';
export { HUB_LENGTH, GetRepositoryHub, type RepositoryHub } from './use-cases/repositories/get-repository-hub.js';
export { GetRepository, ListRepositories, type RepositoryInput, type ListRepositoriesInput } from './use-cases/repositories/repositories.js';
export { ListSources, type ListSourcesInput, type SourceStatus } from './use-cases/sources/list-sources.js';
export { hitJudgedAgain, Search, type SearchInput, type SearchResult } from './use-cases/search/search.js';
export { unreadable, FreshnessJudge, SOURCE_DEADLINE_MS, latestVisible, isVisible } from './use-cases/shared/answer.js';
export type { Warning, Answer, ComposedAnswer, PageAnswer, UseCaseContext, PartialContext } from './use-cases/shared/answer.js';
export { GetRecord, ListRecords, RepositoryGate, ScopedRecords } from './use-cases/shared/records.js';
export type { ListRecordsInput, ViewOf, TimeListInput, ScopedListInput, IdInput } from './use-cases/shared/records.js';
export { GetIncident, ListIncidents, type ListIncidentsInput } from './use-cases/status/incidents.js';
export { StatusBoard } from './use-cases/status/status-board.js';
export { GetService, GetStatus, ListServices, ListServiceChecks } from './use-cases/status/services.js';
export type { ServiceInput, GetStatusInput, StatusAnswer, ListServiceChecksInput } from './use-cases/status/services.js';
export { MAX_HISTORY_DAYS, MAX_HOURLY_DAYS, ListServicePeriods } from './use-cases/status/list-service-periods.js';
export type { ListServicePeriodsInput, PeriodPosition } from './use-cases/status/list-service-periods.js';
export { ServiceBoard, type ServiceBoardOptions } from './use-cases/status/service-board.js';
export { neighboursOf, type Neighbours, type ReadListPage } from './use-cases/shared/neighbours.js';
