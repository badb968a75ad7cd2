import { ConfiguredSources, describeRun, runNotesOf, Scheduler, SourcesNow, type Source } from '@vitrine/collector';
import { cacheFolder, type Environment } from '@vitrine/config';
import type { Logger } from 'pino';
import type { FollowedConfiguration } from '../follow-configuration.js';
import { systemClock } from '../system-clock.js';
import type { CollectedInto, CollectedStore } from './collected-store.js';
import type { Collecting } from './collecting-in-turn.js';
import { connectionClients } from '../connection-client.js';
import type { Assignment } from './messages.js';
import { SourceLog } from './source-log.js';

export interface CollectingOptions {
  readonly assignment: Assignment;
  readonly store: CollectedStore;
  readonly followed: FollowedConfiguration;
  readonly logger: Logger;
  readonly env: Environment;
  /** Hears one line for each source's first run. */
  readonly print: (line: string) => void;
}

/** Runs the sources of the configuration on their intervals, while no other process collects into the same store. */
export function startCollecting(options: CollectingOptions): Collecting {
  return options.store.collectInTurn(collectingOf(options));
}

/**
 * Collects nothing, but search follows the allowlist. `null` for a store whose every write needs a lease: there, the process that collects updates the index.
 */
export function followAllowlist({ store: { withoutLease }, followed: { approved } }: CollectingOptions): Collecting | null {
  if (withoutLease === null) return null;
  const { writer, collection } = withoutLease;
  const scheduler = new Scheduler({ writer, collection, clock: systemClock, approved: () => approved.current() });
  scheduler.start([]);
  return scheduler;
}

/** Collects only after the stored lists were read. Before, a source of a listed repository would seem to have left the configuration. */
function collectingOf(options: CollectingOptions): (into: CollectedInto) => Collecting {
  const { collected, stored } = options.followed;
  const sources = new SourcesNow({ made: configuredSources(options), collected, stored, log: options.logger });
  const schedulerOf = reportingScheduler(options);
  let running: Scheduler | null = null;
  sources.onChange(() => {
    sources.tellSkipped();
    running?.replace(sources.current());
  });
  return (into) => {
    const scheduler = schedulerOf(into);
    let isStopped = false;
    void stored.known.then(() => {
      if (isStopped) return;
      sources.tellSkipped();
      scheduler.start(sources.current());
      running = scheduler;
    });
    return {
      stop: () => {
        isStopped = true;
        return scheduler.stop();
      },
    };
  };
}

/** Prints the first run of each source for the person who started the server. The log gets every run. */
function reportingScheduler({
  assignment: { config },
  followed: { approved },
  logger,
  env,
  print,
}: CollectingOptions): (into: CollectedInto) => Scheduler {
  const notes = runNotesOf(config, env);
  const log = new SourceLog(logger);
  const told = new Set<Source>();
  const tell = (source: Source, line: string): void => {
    if (!told.has(source)) print(line);
    told.add(source);
  };
  return ({ writer, collection }) =>
    new Scheduler({
      writer,
      collection,
      clock: systemClock,
      approved: () => approved.current(),
      candidates: () => approved.candidates(),
      configuration: config.file,
      notes,
      onReport: (source, report) => {
        log.collected(source, report);
        tell(source, `${source.id}: ${describeRun(report)}`);
      },
      onError: (source, error) => {
        log.failed(source, error);
        tell(source, `${source.id}: ${error instanceof Error ? error.message : 'failed'}`);
      },
    });
}

function configuredSources({ assignment: { config, origin }, followed: { approved }, env, print }: CollectingOptions): ConfiguredSources {
  return new ConfiguredSources(config, {
    folder: cacheFolder(config, env),
    origin: () => origin,
    environment: env,
    approved: () => approved.current(),
    clientOf: connectionClients(config.server.trustProxy),
    onListening: (address) => {
      print(`Heartbeats are received on ${address}/heartbeat/<token>`);
    },
  });
}
