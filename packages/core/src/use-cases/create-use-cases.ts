import type { Clock } from '../ports/clock.js';
import type { Deadlines } from '../ports/deadlines.js';
import type { GateMonitor } from '../ports/gate-monitor.js';
import type { StoreReaders } from '../ports/store.js';
import { GetArticle } from './content/get-article.js';
import { GetNews } from './content/get-news.js';
import { GetVideo } from './content/get-video.js';
import { ListArticles } from './content/list-articles.js';
import { ListNews } from './content/list-news.js';
import { ListVideos } from './content/list-videos.js';
import { GetCommit } from './development/get-commit.js';
import { GetFinding } from './development/get-finding.js';
import { GetRelease } from './development/get-release.js';
import { ListCommits } from './development/list-commits.js';
import { ListFindings } from './development/list-findings.js';
import { ListReleases } from './development/list-releases.js';
import { GetOverview } from './overview/get-overview.js';
import { GetRepositoryHub } from './repositories/get-repository-hub.js';
import { GetRepository } from './repositories/get-repository.js';
import { ListRepositories } from './repositories/list-repositories.js';
import { Search } from './search/search.js';
import { FreshnessJudge } from './shared/freshness-judge.js';
import { RepositoryGate } from './shared/repository-gate.js';
import { ScopedRecords } from './shared/scoped-records.js';
import { SignalDeadlines } from './shared/signal-deadlines.js';
import { ListSources } from './sources/list-sources.js';
import { GetIncident } from './status/get-incident.js';
import { GetService } from './status/get-service.js';
import { GetStatus } from './status/get-status.js';
import { ListIncidents } from './status/list-incidents.js';
import { ListServiceChecks } from './status/list-service-checks.js';
import { ListServiceDays } from './status/list-service-days.js';
import { StatusBoard } from './status/status-board.js';
import { GetMission } from './work/get-mission.js';
import { ListMissions } from './work/list-missions.js';

export interface UseCaseOptions {
  readonly clock: Clock;
  /** Hears of every hidden record that a reader returned by mistake. The record is dropped in any case; by default nobody hears of it. */
  readonly gateMonitor?: GateMonitor;
  /** Time limits for the sources of a composed answer; by default those of `AbortSignal.timeout`. */
  readonly deadlines?: Deadlines;
}

/** Every use case, by its name. */
export type UseCases = ReturnType<typeof createUseCases>;

/** Wires all use cases over the readers of one store. Make them once, and keep them for the life of the process: they hold no state of a request. */
export function createUseCases(readers: StoreReaders, options: UseCaseOptions) {
  const { clock, gateMonitor = SILENT, deadlines = new SignalDeadlines() } = options;
  const gate = new RepositoryGate(readers.repositories, gateMonitor);
  const freshness = new FreshnessJudge(readers.syncs, clock);
  const board = new StatusBoard(readers, deadlines, clock);
  return {
    ...recordUseCases(readers, new ScopedRecords(gate, freshness, clock)),
    listRepositories: new ListRepositories(readers.repositories, gate, freshness),
    getRepository: new GetRepository(gate, freshness),
    getRepositoryHub: new GetRepositoryHub(readers, gate, freshness, deadlines, clock),
    listSources: new ListSources(readers.syncs, gate, clock),
    listNews: new ListNews(readers.news, freshness, clock),
    getNews: new GetNews(readers.news, freshness, clock),
    getOverview: new GetOverview(readers, board, gate, freshness, deadlines, clock),
    search: new Search(readers.search, readers.checks, gate, freshness, deadlines, clock),
    getStatus: new GetStatus(board, freshness, clock),
    getService: new GetService(readers.services, board, freshness, clock),
    listServiceChecks: new ListServiceChecks(readers.services, readers.checks, freshness, clock),
    listServiceDays: new ListServiceDays(readers.services, readers.checks, freshness, clock),
    listIncidents: new ListIncidents(readers.incidents, freshness, clock),
    getIncident: new GetIncident(readers.incidents, freshness, clock),
  };
}

const SILENT: GateMonitor = { refused: () => undefined };

/** Use cases for records that belong to repositories. */
function recordUseCases(readers: StoreReaders, records: ScopedRecords) {
  return {
    listCommits: new ListCommits(readers.commits, records),
    getCommit: new GetCommit(readers.commits, records),
    listReleases: new ListReleases(readers.releases, records),
    getRelease: new GetRelease(readers.releases, records),
    listFindings: new ListFindings(readers.findings, records),
    getFinding: new GetFinding(readers.findings, records),
    listMissions: new ListMissions(readers.missions, records),
    getMission: new GetMission(readers.missions, records),
    listArticles: new ListArticles(readers.articles, records),
    getArticle: new GetArticle(readers.articles, records),
    listVideos: new ListVideos(readers.videos, records),
    getVideo: new GetVideo(readers.videos, records),
  };
}
