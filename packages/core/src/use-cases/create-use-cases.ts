import type { AnswerReaders, Clock, Deadlines, GateMonitor } from '../ports/store.js';
import { assertOptions, CLOCK, required, type RulesOf, withMethod } from '../rules/rules-of-arguments.js';
import { GetImage } from './content/get-image.js';
import { GetNews, ListNews } from './content/news.js';
import { GetCommit } from './development/get-commit.js';
import { ListActivity } from './development/list-activity.js';
import { GetOverview } from './overview/get-overview.js';
import { GetRepositoryHub } from './repositories/get-repository-hub.js';
import { GetRepository, ListRepositories } from './repositories/repositories.js';
import { Search } from './search/search.js';
import { checkArguments } from './shared/arguments.js';
import { FreshnessJudge, SignalDeadlines } from './shared/answer.js';
import type { UseCaseParts } from './shared/parts.js';
import { GetRecord, ListRecords, ScopedRecords, RepositoryGate } from './shared/records.js';
import { ListSources } from './sources/list-sources.js';
import { GetIncident, ListIncidents } from './status/incidents.js';
import { ListServicePeriods } from './status/list-service-periods.js';
import { ServiceBoard } from './status/service-board.js';
import { GetService, GetStatus, ListServiceChecks, ListServices } from './status/services.js';
import { StatusBoard } from './status/status-board.js';

export interface UseCaseOptions {
  readonly clock: Clock;
  /** Called for every hidden record that a reader returned by mistake. The record is dropped in any case. */
  readonly gateMonitor?: GateMonitor;
  /** Time limits for the sources of a composed answer; by default those of `AbortSignal.timeout`. */
  readonly deadlines?: Deadlines;
  /** What is known of services, so that it need not be read for each answer. By default it is read each time. */
  readonly board?: ServiceBoard;
}

/** Every use case, by its name. */
export type UseCases = ReturnType<typeof wireUseCases>;

/** As {@link createUseCases}, for callers whose arguments are checked already: the use cases trust them. */
export function wireUseCases(readers: AnswerReaders, options: UseCaseOptions) {
  const { clock, gateMonitor = SILENT, deadlines = new SignalDeadlines() } = options;
  const gate = new RepositoryGate(readers.repositories, gateMonitor);
  const freshness = new FreshnessJudge(readers.syncs, clock);
  const board = options.board ?? new ServiceBoard(readers.checks, { deadlines });
  const status = new StatusBoard({ readers, board, deadlines });
  const parts: UseCaseParts = { readers, gate, freshness, board, status, deadlines, clock };
  return {
    ...recordUseCases(readers, new ScopedRecords(gate, freshness, clock)),
    listActivity: new ListActivity(parts),
    listRepositories: new ListRepositories(parts),
    getRepository: new GetRepository(parts),
    getRepositoryHub: new GetRepositoryHub(parts),
    listSources: new ListSources(parts),
    listNews: new ListNews(readers.news, freshness, clock),
    getNews: new GetNews(readers.news, freshness, clock),
    getOverview: new GetOverview(parts),
    search: new Search(parts),
    getStatus: new GetStatus(parts),
    listServices: new ListServices(parts),
    getService: new GetService(parts),
    listServiceChecks: new ListServiceChecks(parts),
    listServiceDays: new ListServicePeriods('day', parts),
    listServiceHours: new ListServicePeriods('hour', parts),
    listIncidents: new ListIncidents(readers.incidents, freshness, clock),
    getIncident: new GetIncident(readers.incidents, freshness, clock),
  };
}

const SILENT: GateMonitor = { refused: () => undefined };

function recordUseCases(readers: AnswerReaders, records: ScopedRecords) {
  return {
    listCommits: new ListRecords('commit', readers.commits, records),
    getCommit: new GetCommit(readers.commits, records),
    listReleases: new ListRecords('release', readers.releases, records),
    getRelease: new GetRecord('release', readers.releases, records),
    listFindings: new ListRecords('finding', readers.findings, records),
    getFinding: new GetRecord('finding', readers.findings, records),
    listBuilds: new ListRecords('build', readers.builds, records),
    listMissions: new ListRecords('mission', readers.missions, records),
    getMission: new GetRecord('mission', readers.missions, records),
    listArticles: new ListRecords('article', readers.articles, records),
    getArticle: new GetRecord('article', readers.articles, records),
    getImage: new GetImage(readers.images, readers.articles, records),
    listVideos: new ListRecords('video', readers.videos, records),
    getVideo: new GetRecord('video', readers.videos, records),
  };
}

const OPTIONS: RulesOf<UseCaseOptions> = {
  clock: required(CLOCK),
  gateMonitor: withMethod('refused'),
  deadlines: withMethod('run'),
  board: withMethod('evidence'),
};

/** All use cases over the readers of one store. Keep them for the life of the process. Wrong arguments reject. @throws TypeError if readers or options are wrong */
export function createUseCases(readers: AnswerReaders, options: UseCaseOptions): UseCases {
  assertReaders(readers);
  assertOptions('createUseCases', options, OPTIONS);
  const useCases = wireUseCases(readers, options);
  checkArguments(useCases);
  return useCases;
}

function assertReaders(readers: Partial<AnswerReaders> | null | undefined): void {
  if (readers?.repositories !== undefined) return;
  const isStore = typeof readers === 'object' && readers !== null && 'readers' in readers;
  throw new TypeError(
    `createUseCases needs the readers of a store${isStore ? ', not the store' : ''}. Call createUseCases(store.readers, { clock }).`,
  );
}
