import type {
  ArticleReader,
  BuildReader,
  CheckReader,
  CommitReader,
  FindingReader,
  IncidentReader,
  MissionReader,
  NewsReader,
  ReleaseReader,
  RepositoryReader,
  SearchReader,
  ServiceReader,
  SyncReader,
  VideoReader,
} from '@vitrine/core';

/** Everything the API reads through: what a store has to offer. */
export interface Readers {
  readonly repositories: RepositoryReader;
  readonly commits: CommitReader;
  readonly releases: ReleaseReader;
  readonly findings: FindingReader;
  readonly builds: BuildReader;
  readonly missions: MissionReader;
  readonly news: NewsReader;
  readonly articles: ArticleReader;
  readonly videos: VideoReader;
  readonly services: ServiceReader;
  readonly checks: CheckReader;
  readonly incidents: IncidentReader;
  readonly search: SearchReader;
  readonly syncs: SyncReader;
}
