import { ConfiguredSources, describeRun, runNotesOf, Scheduler, SourcesNow, type Source } from '@vitrine/collector';
import { cacheFolder, type Environment } from '@vitrine/config';
import type { Clock } from '@vitrine/core';
import type { Logger } from 'pino';
import type { Collecting } from './collecting-in-turn.js';
import { connectionClients } from './connection-client.js';
import type { Deployment } from './deployment.js';
import { SourceLog } from './source-log.js';
import type { CollectedInto } from './store-tasks.js';

export interface CollectingOptions {
  readonly deployment: Deployment;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The address this server listens on. */
  readonly origin: () => string;
  readonly env: Environment;
  /** This process's number. */
  readonly pid: number;
  /** Hears one line for each source's first run. */
  readonly print: (line: string) => void;
}

/** Runs the sources of the configuration on their intervals, while no other process collects into the same store. */
export function startCollecting(options: CollectingOptions): Collecting {
  const { deployment, pid, print } = options;
  return deployment.tasks.collectInTurn(collectingOf(options), pid, print);
}

/**
 * Collects nothing, but search follows the allowlist. `null` for a store whose every write needs a lease: there, the process that collects updates the index.
 */
export function followAllowlist({ deployment: { tasks, approved }, clock }: CollectingOptions): Collecting | null {
  if (tasks.withoutLease === null) return null;
  const { writer, collection } = tasks.withoutLease;
  const scheduler = new Scheduler({ writer, collection, clock, approved: () => approved.current() });
  scheduler.start([]);
  return scheduler;
}

/** Collects when it is known what the store approves: until then, a source that a list gives its repository would seem to have left the configuration. */
function collectingOf(options: CollectingOptions): (into: CollectedInto) => Collecting {
  const { collected, stored } = options.deployment;
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
function reportingScheduler({ deployment: { config, approved }, clock, logger, env, print }: CollectingOptions): (into: CollectedInto) => Scheduler {
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
      clock,
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

function configuredSources({ deployment: { config, approved }, origin, env, print }: CollectingOptions): ConfiguredSources {
  return new ConfiguredSources(config, {
    folder: cacheFolder(config, env),
    origin,
    environment: env,
    approved: () => approved.current(),
    clientOf: connectionClients(config.server.trustProxy),
    onListening: (address) => {
      print(`Heartbeats are received on ${address}/heartbeat/<token>`);
    },
  });
}
