import {
  GetIncident,
  GetService,
  GetStatus,
  ListIncidents,
  ListServiceChecks,
  ListServiceDays,
  type CheckReader,
  type Clock,
  type FreshnessJudge,
  type IncidentReader,
  type ServiceReader,
  type StatusBoard,
} from '@vitrine/core';
import { ContainerModule } from 'inversify';
import { tokens } from './tokens.js';

export const statusModule = new ContainerModule(({ bind }) => {
  bind(tokens.getStatus)
    .toResolvedValue(
      (board: StatusBoard, freshness: FreshnessJudge, clock: Clock) => new GetStatus(board, freshness, clock),
      [tokens.statusBoard, tokens.freshnessJudge, tokens.clock],
    )
    .inSingletonScope();
  bind(tokens.getService)
    .toResolvedValue(
      (services: ServiceReader, board: StatusBoard, freshness: FreshnessJudge, clock: Clock) => new GetService(services, board, freshness, clock),
      [tokens.serviceReader, tokens.statusBoard, tokens.freshnessJudge, tokens.clock],
    )
    .inSingletonScope();

  const history = [tokens.serviceReader, tokens.checkReader, tokens.freshnessJudge, tokens.clock] as const;
  bind(tokens.listServiceChecks)
    .toResolvedValue(
      (services: ServiceReader, checks: CheckReader, freshness: FreshnessJudge, clock: Clock) =>
        new ListServiceChecks(services, checks, freshness, clock),
      [...history],
    )
    .inSingletonScope();
  bind(tokens.listServiceDays)
    .toResolvedValue(
      (services: ServiceReader, checks: CheckReader, freshness: FreshnessJudge, clock: Clock) =>
        new ListServiceDays(services, checks, freshness, clock),
      [...history],
    )
    .inSingletonScope();

  const incidents = [tokens.incidentReader, tokens.freshnessJudge, tokens.clock] as const;
  bind(tokens.listIncidents)
    .toResolvedValue((reader: IncidentReader, freshness: FreshnessJudge, clock: Clock) => new ListIncidents(reader, freshness, clock), [...incidents])
    .inSingletonScope();
  bind(tokens.getIncident)
    .toResolvedValue((reader: IncidentReader, freshness: FreshnessJudge, clock: Clock) => new GetIncident(reader, freshness, clock), [...incidents])
    .inSingletonScope();
});
