import { once } from 'node:events';
import {
  ConfiguredSources,
  possibleSources,
  requestsSocket,
  RunRequests,
  runNotesOf,
  Scheduler,
  SourcesNow,
  watchConfiguration,
  type ClientOf,
  type Source,
  type SourcesOptions,
  type WatchedConfiguration,
} from '@vitrine/collector';
import { cacheFolder, type Config } from '@vitrine/config';
import { chosenOf, isLeftToOthers, RunLines, watchLog, withApproval, type Approval } from '../run-sources.js';
import { EXIT, messageOf, type StoreContext, type ExitCode } from '../context.js';
import { LeaseLostError, collectingStore, type WrittenStore } from '../stores.js';

/**
 * Runs sources on their intervals until the command is stopped, and follows the configuration file as a server does. To be stopped is its normal end, also while
 * it waits for the lease.
 */
export async function collectOnSchedule(config: Config, names: readonly string[], context: StoreContext): Promise<ExitCode> {
  const evenClock = { now: () => performance.now() };
  const watched = watchConfiguration(config, { env: context.env, clock: evenClock, log: watchLog(context) });
  watched.approved.start();
  try {
    return await collectingStore(config, context, (store) =>
      withApproval(
        () => watched.approved.current(),
        store,
        context,
        (approval) => collectInto(store, { config, names, context, watched, approval }),
      ),
    );
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
  readonly approval: Approval;
}

async function collectInto({ writer, collection, signal }: WrittenStore, collecting: Collecting): Promise<ExitCode> {
  const { config, context } = collecting;
  const { env, clock, progress } = context;
  const options = await optionsOf(collecting);
  const sources = sourcesOf(collecting, options);
  const lines = new RunLines(context);
  const scheduler = new Scheduler({
    writer,
    collection,
    clock,
    approved: options.approved,
    candidates: () => collecting.approval.permission.candidates(),
    configuration: config.file,
    notes: runNotesOf(config, env),
    isForeign: sources.isForeign,
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
  sources.onChange(() => {
    scheduler.replace(sources.choose());
  });
  scheduler.start(sources.choose());
  const requests = requestsTo(scheduler, context, requestsSocket(config, env));
  if (!signal.aborted) await once(signal, 'abort');
  await requests?.close();
  await scheduler.stop();
  return EXIT.fine;
}

function requestsTo(scheduler: Scheduler, { warn }: StoreContext, path: string | null): RunRequests | null {
  const onProblem = (error: unknown): void => {
    warn(`vitrine collect --source cannot reach this process: ${messageOf(error)}`);
  };
  return path === null ? null : new RunRequests({ path, scheduler, onProblem });
}

/** The chosen sources of the moment. */
function sourcesOf({ config, names, context, watched: { collected }, approval: { stored } }: Collecting, options: SourcesOptions) {
  const now = new SourcesNow({ made: new ConfiguredSources(config, options), collected, stored, log: watchLog(context) });
  let known: readonly Source[] = [];
  let chosen: readonly Source[] = [];
  return {
    choose: (): readonly Source[] => {
      now.tellSkipped();
      const all = now.current();
      // Without names, sources that are missing have left the configuration.
      known = names.length === 0 ? all : possibleSources(config, options, collected.current());
      chosen = chosenOf(names, all);
      return chosen;
    },
    isForeign: (id: string): boolean => isLeftToOthers(id, known, chosen, collected.current()),
    onChange: (listener: () => void): void => {
      now.onChange(listener);
    },
  };
}

async function optionsOf({ config, context: { env, clock, print }, approval }: Collecting) {
  return {
    folder: cacheFolder(config, env),
    origin: null,
    environment: env,
    approved: () => approval.permission.current(),
    clock,
    ...(config.heartbeats === null ? {} : { clientOf: await clientsOf(config) }),
    onListening: (address) => {
      print(`Heartbeats are received on ${address}/heartbeat/<token>`);
    },
  } satisfies SourcesOptions;
}

/** The packages of the server are loaded here, because a configuration without heartbeats does not need them. */
async function clientsOf({ server: { trustProxy } }: Config): Promise<ClientOf> {
  const { connectionClients } = await import('@vitrine/http');
  return connectionClients(trustProxy);
}
