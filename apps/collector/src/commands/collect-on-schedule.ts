import { once } from 'node:events';
import { ConfiguredSources, runNotesOf, Scheduler, watchConfiguration, type Source, type WatchedConfiguration } from '@vitrine/collector';
import { cacheFolder, type Config } from '@vitrine/config';
import { chosenOf, isLeftToOthers } from '../chosen-sources.js';
import type { StoreContext } from '../command-context.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { LeaseLostError } from '../lease-lost-error.js';
import type { OpenedStore } from '../opened-store.js';
import { RunLines, watchLog } from '../run-lines.js';
import { collectingStore } from '../with-store.js';

/**
 * Runs sources on their intervals until the command is stopped, and follows the configuration file as a server does. To be stopped is its normal end, also while
 * it waits for the lease.
 */
export async function collectOnSchedule(config: Config, names: readonly string[], context: StoreContext): Promise<ExitCode> {
  const evenClock = { now: () => performance.now() };
  const watched = watchConfiguration(config, { env: context.env, clock: evenClock, log: watchLog(context) });
  watched.approved.start();
  try {
    return await collectingStore(config, context, (store) => collectInto(store, { config, names, context, watched }));
  } catch (error) {
    if (context.signal.aborted && !(error instanceof LeaseLostError)) return EXIT.fine;
    throw error;
  } finally {
    watched.approved.stop();
  }
}

interface Collecting {
  readonly config: Config;
  readonly names: readonly string[];
  readonly context: StoreContext;
  readonly watched: WatchedConfiguration;
}

async function collectInto({ writer, collection, signal }: OpenedStore, { config, names, context, watched }: Collecting): Promise<ExitCode> {
  const { env, clock, progress } = context;
  const { approved, collected } = watched;
  const made = configuredSources(config, context, watched);
  let all = made.of(collected.current());
  const chosen = (): readonly Source[] => chosenOf(names, all);
  const lines = new RunLines(context);
  const scheduler = new Scheduler({
    writer,
    collection,
    clock,
    approved: () => approved.current(),
    configuration: config.file,
    notes: runNotesOf(config, env),
    isForeign: (id) => isLeftToOthers(id, all, chosen(), collected.current()),
    onProgress: ({ id }, done, what, total) => {
      progress.count(id, { done, what, total });
    },
    onReport: (source, report) => {
      lines.collected(source, report);
    },
    onError: (source, error) => {
      lines.failed(source, error);
    },
  });
  collected.onChange(() => {
    all = made.of(collected.current());
    scheduler.replace(chosen());
  });
  scheduler.start(chosen());
  if (!signal.aborted) await once(signal, 'abort');
  await scheduler.stop();
  return EXIT.fine;
}

function configuredSources(config: Config, { env, clock, print }: StoreContext, { approved }: WatchedConfiguration): ConfiguredSources {
  return new ConfiguredSources(config, {
    folder: cacheFolder(config, env),
    origin: null,
    environment: env,
    approved: () => approved.current(),
    clock,
    onListening: (address) => {
      print(`Heartbeats are received on ${address}/heartbeat/<token>`);
    },
  });
}
