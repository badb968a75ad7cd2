import {
  GetOverview,
  Search,
  type CheckReader,
  type Clock,
  type CommitReader,
  type Deadlines,
  type FindingReader,
  type FreshnessJudge,
  type NewsReader,
  type ReleaseReader,
  type RepositoryGate,
  type SearchReader,
  type StatusBoard,
} from '@vitrine/core';
import { ContainerModule } from 'inversify';
import { tokens } from './tokens.js';

export const overviewModule = new ContainerModule(({ bind }) => {
  bind(tokens.getOverview)
    .toResolvedValue(
      (
        commits: CommitReader,
        releases: ReleaseReader,
        findings: FindingReader,
        news: NewsReader,
        board: StatusBoard,
        gate: RepositoryGate,
        freshness: FreshnessJudge,
        deadlines: Deadlines,
        clock: Clock,
      ) => new GetOverview({ commits, releases, findings, news }, board, gate, freshness, deadlines, clock),
      [
        tokens.commitReader,
        tokens.releaseReader,
        tokens.findingReader,
        tokens.newsReader,
        tokens.statusBoard,
        tokens.repositoryGate,
        tokens.freshnessJudge,
        tokens.deadlines,
        tokens.clock,
      ],
    )
    .inSingletonScope();
  bind(tokens.search)
    .toResolvedValue(
      (entries: SearchReader, checks: CheckReader, gate: RepositoryGate, freshness: FreshnessJudge, deadlines: Deadlines, clock: Clock) =>
        new Search(entries, checks, gate, freshness, deadlines, clock),
      [tokens.searchReader, tokens.checkReader, tokens.repositoryGate, tokens.freshnessJudge, tokens.deadlines, tokens.clock],
    )
    .inSingletonScope();
});
