import {
  GetRepository,
  GetRepositoryHub,
  ListRepositories,
  type BuildReader,
  type Clock,
  type CommitReader,
  type Deadlines,
  type FindingReader,
  type FreshnessJudge,
  type MissionReader,
  type ReleaseReader,
  type RepositoryGate,
  type RepositoryReader,
} from '@vitrine/core';
import { ContainerModule } from 'inversify';
import { tokens } from './tokens.js';

export const repositoriesModule = new ContainerModule(({ bind }) => {
  bind(tokens.listRepositories)
    .toResolvedValue(
      (reader: RepositoryReader, gate: RepositoryGate, freshness: FreshnessJudge) => new ListRepositories(reader, gate, freshness),
      [tokens.repositoryReader, tokens.repositoryGate, tokens.freshnessJudge],
    )
    .inSingletonScope();
  bind(tokens.getRepository)
    .toResolvedValue(
      (gate: RepositoryGate, freshness: FreshnessJudge) => new GetRepository(gate, freshness),
      [tokens.repositoryGate, tokens.freshnessJudge],
    )
    .inSingletonScope();
  bind(tokens.getRepositoryHub)
    .toResolvedValue(
      (
        commits: CommitReader,
        releases: ReleaseReader,
        findings: FindingReader,
        builds: BuildReader,
        missions: MissionReader,
        gate: RepositoryGate,
        freshness: FreshnessJudge,
        deadlines: Deadlines,
        clock: Clock,
      ) => new GetRepositoryHub({ commits, releases, findings, builds, missions }, gate, freshness, deadlines, clock),
      [
        tokens.commitReader,
        tokens.releaseReader,
        tokens.findingReader,
        tokens.buildReader,
        tokens.missionReader,
        tokens.repositoryGate,
        tokens.freshnessJudge,
        tokens.deadlines,
        tokens.clock,
      ],
    )
    .inSingletonScope();
});
