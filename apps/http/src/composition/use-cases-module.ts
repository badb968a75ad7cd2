import { createUseCases, type Clock, type Deadlines, type GateMonitor, type StoreReaders } from '@vitrine/core';
import { ContainerModule } from 'inversify';
import { SnapshotSyncReader } from './snapshot-sync-reader.js';
import { tokens } from './tokens.js';

/** Every use case over the readers of the store, of which the sync records are remembered for some seconds. */
export const useCasesModule = new ContainerModule(({ bind }) => {
  bind(tokens.syncs)
    .toResolvedValue(
      (readers: StoreReaders, deadlines: Deadlines, clock: Clock) => new SnapshotSyncReader(readers.syncs, deadlines, clock),
      [tokens.readers, tokens.deadlines, tokens.clock],
    )
    .inSingletonScope();
  bind(tokens.useCases)
    .toResolvedValue(
      (readers: StoreReaders, syncs: SnapshotSyncReader, gateMonitor: GateMonitor, deadlines: Deadlines, clock: Clock) =>
        createUseCases({ ...readers, syncs }, { clock, gateMonitor, deadlines }),
      [tokens.readers, tokens.syncs, tokens.gateMonitor, tokens.deadlines, tokens.clock],
    )
    .inSingletonScope();
});
