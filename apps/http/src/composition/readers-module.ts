import type { Clock, Deadlines, StoreReaders } from '@vitrine/core';
import { ContainerModule } from 'inversify';
import { SnapshotSyncReader } from './snapshot-sync-reader.js';
import { tokens } from './tokens.js';

/** The ports that a store serves. */
export function readersModule(readers: StoreReaders): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(tokens.repositoryReader).toConstantValue(readers.repositories);
    bind(tokens.commitReader).toConstantValue(readers.commits);
    bind(tokens.releaseReader).toConstantValue(readers.releases);
    bind(tokens.findingReader).toConstantValue(readers.findings);
    bind(tokens.buildReader).toConstantValue(readers.builds);
    bind(tokens.missionReader).toConstantValue(readers.missions);
    bind(tokens.newsReader).toConstantValue(readers.news);
    bind(tokens.articleReader).toConstantValue(readers.articles);
    bind(tokens.videoReader).toConstantValue(readers.videos);
    bind(tokens.serviceReader).toConstantValue(readers.services);
    bind(tokens.checkReader).toConstantValue(readers.checks);
    bind(tokens.incidentReader).toConstantValue(readers.incidents);
    bind(tokens.searchReader).toConstantValue(readers.search);
    bind(tokens.syncReader)
      .toResolvedValue(
        (deadlines: Deadlines, clock: Clock) => new SnapshotSyncReader(readers.syncs, deadlines, clock),
        [tokens.deadlines, tokens.clock],
      )
      .inSingletonScope();
  });
}
