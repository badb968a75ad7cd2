export {
  describeRun,
  isNamed,
  type Receiver,
  type Registration,
  type RunReport,
  type Source,
  type SourceContext,
  type SourceRuns,
} from './running/source.js';
export { completedSync, type Completion } from './running/registered-source.js';
export { fetchDocument, type FetchDocumentOptions, type FetchedDocument, type Validators } from './fetching/fetch-document.js';
export { OutgoingClient, type OutgoingClientOptions, type OutgoingRequest, type OutgoingResponse } from './fetching/outgoing-client.js';
export { OutgoingError, type OutgoingReason } from './fetching/outgoing-response.js';
export { SourceError } from './running/source.js';
export { foundCovers } from './sources/incidents/incidents-source.js';
export { storedDetected, type StoredDetected } from './sources/detected/detected-source.js';
export { approvedOf, boundSources, type Candidates, CurrentApproval } from './running/approvals.js';
export {
  type HiddenReason,
  type HiddenRepository,
  type HiddenRepositoryFields,
  hiddenRepositorySync,
  NOTHING_STORED,
  readStoredApprovals,
  type StoredApprovals,
} from './running/approvals.js';
export { WatchedApprovals, type WatchedApprovalsOptions } from './running/watched-approvals.js';
export { makeFolder } from './files/write-whole.js';
export { writeWhole } from './files/write-whole.js';
export { loadConfig, readConfig } from './configuration/load-config.js';
export { chosenOf, ConfiguredSources, createSources, isLeftToOthers } from './running/create-sources.js';
export { type Collected, configuredOrigin, type SourcesOptions } from './running/sources-options.js';
export { endProcess, leaseHolder, stopOnSignals } from './running/end-process.js';
export { descriptorWriter, LineOutput, streamWriter } from './running/line-output.js';
export { IncidentFolder, type IncidentFolderOptions, type ListedIncident, type WrittenIncident } from './sources/incidents/incident-folder.js';
export { PathError } from './files/file-access.js';
export { addressBase, DECLARED_IMPACTS, incidentAddress } from './sources/incidents/incident-file.js';
export { DECLARED_STATES } from './sources/incidents/incident-file.js';
export { type ClientOf, type ConnectionClient, heartbeatTokenProblem } from './probes/heartbeat/heartbeat-connections.js';
export { pathProblems, type PathProblemsOptions } from './files/path-problems.js';
export { type ExportOptions, exportRecords } from './sources/records/export-records.js';
export { type ImportOptions, importRecords, type ImportReport } from './sources/records/import-records.js';
export { type Demo, loadDemo } from './sources/records/load-demo.js';
export { RecordsSource, type RecordsSourceOptions } from './sources/records/records-source.js';
export { askToRun, RunRequestError } from './running/run-requests.js';
export { notesFile, readNotes, requestsSocket, type RunNote, type RunNotes, runNotesOf } from './running/run-notes.js';
export { type RunOutcome, Scheduler, type SchedulerOptions } from './running/scheduler.js';
export { RunNews } from './running/news.js';
export { ContinuousCollection, type ContinuousCollectionOptions } from './running/continuous-collection.js';
export { watchConfiguration, type WatchedConfiguration, type WatchOptions } from './running/watched-configuration.js';
export type { WatchLog } from './running/news.js';
export { GitError } from './sources/git/git-process.js';
export { GitSource, type GitSourceOptions } from './sources/git/git-source.js';
