import {
  FreshnessJudge,
  RepositoryGate,
  ScopedRecords,
  StatusBoard,
  type CheckReader,
  type Clock,
  type Deadlines,
  type GateMonitor,
  type IncidentReader,
  type RepositoryReader,
  type ServiceReader,
  type SyncReader,
} from '@vitrine/core';
import { ContainerModule } from 'inversify';
import { tokens } from './tokens.js';

/** What several use cases share. */
export const sharedModule = new ContainerModule(({ bind }) => {
  bind(tokens.repositoryGate)
    .toResolvedValue(
      (repositories: RepositoryReader, monitor: GateMonitor) => new RepositoryGate(repositories, monitor),
      [tokens.repositoryReader, tokens.gateMonitor],
    )
    .inSingletonScope();
  bind(tokens.freshnessJudge)
    .toResolvedValue((syncs: SyncReader, clock: Clock) => new FreshnessJudge(syncs, clock), [tokens.syncReader, tokens.clock])
    .inSingletonScope();
  bind(tokens.scopedRecords)
    .toResolvedValue(
      (gate: RepositoryGate, freshness: FreshnessJudge, clock: Clock) => new ScopedRecords(gate, freshness, clock),
      [tokens.repositoryGate, tokens.freshnessJudge, tokens.clock],
    )
    .inSingletonScope();
  bind(tokens.statusBoard)
    .toResolvedValue(
      (services: ServiceReader, checks: CheckReader, incidents: IncidentReader, deadlines: Deadlines, clock: Clock) =>
        new StatusBoard({ services, checks, incidents }, deadlines, clock),
      [tokens.serviceReader, tokens.checkReader, tokens.incidentReader, tokens.deadlines, tokens.clock],
    )
    .inSingletonScope();
});
