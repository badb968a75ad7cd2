import {
  Allowlist,
  FreshnessJudge,
  GetArticle,
  GetCommit,
  GetFinding,
  GetIncident,
  GetMission,
  GetNews,
  GetOverview,
  GetRelease,
  GetRepository,
  GetRepositoryHub,
  GetService,
  GetStatus,
  GetVideo,
  ListArticles,
  ListCommits,
  ListFindings,
  ListIncidents,
  ListMissions,
  ListNews,
  ListReleases,
  ListRepositories,
  ListServiceChecks,
  ListServiceDays,
  ListVideos,
  RepositoryGate,
  ScopedRecords,
  Search,
  StatusBoard,
  UnavailableError,
  type Deadlines,
  type GateMonitor,
  type RecordKind,
} from '@vitrine/core';
import { NOW, StandingClock } from '@vitrine/core/testing';
import { context, type FakeReaders } from './fake-readers.js';

/** Keeps what it hears. */
class RecordingMonitor implements GateMonitor {
  readonly heard: RecordKind[] = [];

  refused(kind: RecordKind): void {
    this.heard.push(kind);
  }
}

/** Gives every call 30 ms, whatever it is granted. */
class ShortDeadlines implements Deadlines {
  run<Result>(_milliseconds: number, signal: AbortSignal, call: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new UnavailableError()), 30);
    });
    return Promise.race([call(signal), late]).finally(() => clearTimeout(timer));
  }
}

/** The whole core over some readers, as a composition would wire it. */
export function useCasesOver(readers: FakeReaders, clock = new StandingClock(NOW), deadlines: Deadlines = new ShortDeadlines()) {
  const monitor = new RecordingMonitor();
  const freshness = new FreshnessJudge(readers.syncs, clock);
  const gate = new RepositoryGate(readers.repositories, monitor);
  const records = new ScopedRecords(gate, freshness, clock);
  const board = new StatusBoard(readers, deadlines, clock);
  return {
    clock,
    monitor,
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
    listNews: new ListNews(readers.news, freshness, clock),
    getNews: new GetNews(readers.news, freshness, clock),
    listRepositories: new ListRepositories(readers.repositories, gate, freshness),
    getRepository: new GetRepository(gate, freshness),
    getHub: new GetRepositoryHub(readers, gate, freshness, deadlines, clock),
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

/** What a request carries that may see `acme/widget` alone. */
export const widgetOnly = { ...context, approved: Allowlist.of('Acme/Widget').approved() };

/** The first page of everything. */
export const firstPage = { limit: 20, after: null, from: null, to: null };
export const scopedPage = { ...firstPage, repository: null };
export const noFilters = {
  branch: null,
  author: null,
  changeType: null,
  platform: null,
  releaseType: null,
  status: null,
  articleKind: null,
  tag: null,
  language: null,
  source: null,
  state: null,
  service: null,
};
