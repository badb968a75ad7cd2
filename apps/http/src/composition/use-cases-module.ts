import { createUseCases, ServiceBoard, type ChangeFeed, type Clock, type Deadlines, type GateMonitor, type StoreReaders } from '@vitrine/core';
import { ContainerModule } from 'inversify';
import { KeptSyncReader } from './kept-sync-reader.js';
import { tokens } from './tokens.js';

/** Every use case over the readers of the store. Sync records and the sums of a status are cached until they change. */
export const useCasesModule = new ContainerModule(({ bind }) => {
  bind(tokens.syncs)
    .toResolvedValue(
      (readers: StoreReaders, deadlines: Deadlines, feed: ChangeFeed | null) => new KeptSyncReader(readers.syncs, deadlines, feed !== null),
      [tokens.readers, tokens.deadlines, tokens.changeFeed],
    )
    .inSingletonScope();
  bind(tokens.board)
    .toResolvedValue(
      ({ checks }: StoreReaders, deadlines: Deadlines, feed: ChangeFeed | null) => new ServiceBoard(checks, { deadlines, isTold: feed !== null }),
      [tokens.readers, tokens.deadlines, tokens.changeFeed],
    )
    .inSingletonScope();
  bind(tokens.useCases)
    .toResolvedValue(
      (readers: StoreReaders, syncs: KeptSyncReader, board: ServiceBoard, gateMonitor: GateMonitor, deadlines: Deadlines, clock: Clock) =>
        createUseCases({ ...readers, syncs }, { clock, gateMonitor, deadlines, board }),
      [tokens.readers, tokens.syncs, tokens.board, tokens.gateMonitor, tokens.deadlines, tokens.clock],
    )
    .inSingletonScope();
});
