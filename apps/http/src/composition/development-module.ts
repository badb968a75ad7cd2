import {
  GetCommit,
  GetFinding,
  GetMission,
  GetRelease,
  ListCommits,
  ListFindings,
  ListMissions,
  ListReleases,
  type CommitReader,
  type FindingReader,
  type MissionReader,
  type ReleaseReader,
  type ScopedRecords,
} from '@vitrine/core';
import { ContainerModule } from 'inversify';
import { tokens } from './tokens.js';

export const developmentModule = new ContainerModule(({ bind }) => {
  const commits = [tokens.commitReader, tokens.scopedRecords] as const;
  bind(tokens.listCommits)
    .toResolvedValue((reader: CommitReader, records: ScopedRecords) => new ListCommits(reader, records), [...commits])
    .inSingletonScope();
  bind(tokens.getCommit)
    .toResolvedValue((reader: CommitReader, records: ScopedRecords) => new GetCommit(reader, records), [...commits])
    .inSingletonScope();

  const releases = [tokens.releaseReader, tokens.scopedRecords] as const;
  bind(tokens.listReleases)
    .toResolvedValue((reader: ReleaseReader, records: ScopedRecords) => new ListReleases(reader, records), [...releases])
    .inSingletonScope();
  bind(tokens.getRelease)
    .toResolvedValue((reader: ReleaseReader, records: ScopedRecords) => new GetRelease(reader, records), [...releases])
    .inSingletonScope();

  const findings = [tokens.findingReader, tokens.scopedRecords] as const;
  bind(tokens.listFindings)
    .toResolvedValue((reader: FindingReader, records: ScopedRecords) => new ListFindings(reader, records), [...findings])
    .inSingletonScope();
  bind(tokens.getFinding)
    .toResolvedValue((reader: FindingReader, records: ScopedRecords) => new GetFinding(reader, records), [...findings])
    .inSingletonScope();

  const missions = [tokens.missionReader, tokens.scopedRecords] as const;
  bind(tokens.listMissions)
    .toResolvedValue((reader: MissionReader, records: ScopedRecords) => new ListMissions(reader, records), [...missions])
    .inSingletonScope();
  bind(tokens.getMission)
    .toResolvedValue((reader: MissionReader, records: ScopedRecords) => new GetMission(reader, records), [...missions])
    .inSingletonScope();
});
