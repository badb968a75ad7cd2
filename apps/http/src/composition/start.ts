import type { Server } from 'node:http';
import type { Config, Environment, StoreConfig } from '@vitrine/config';
import { pino, type DestinationStream } from 'pino';
import { drain } from '../http/drain.js';
import { readArguments } from './arguments.js';
import { followAllowlist, startCollecting } from './collecting.js';
import type { Collecting } from './collecting-in-turn.js';
import { configOf, demoConfig, openDemo, openDeployment, type Deployment } from './deployment.js';
import { errorForLog } from './error-serializer.js';
import { systemClock } from './system-clock.js';

/** What the process gives: its arguments after the program's name, its environment, and where lines go. */
export interface StartOptions {
  readonly args: readonly string[];
  readonly env: Environment;
  /** The process id. Other processes name it in their messages when they wait for the lease. */
  readonly pid: number;
  /** For people. */
  readonly print: (line: string) => void;
  readonly logs: DestinationStream;
}

export interface Running {
  /** Ends what runs, at most 12 seconds later, and closes the store. */
  readonly stop: () => Promise<void>;
}

const DRAIN = { graceMs: 500, deadlineMs: 10_000 };

/** Opens the store, listens, then collects. Throws a `StartError` with lines for people. */
export async function start({ args, env, pid, print, logs }: StartOptions): Promise<Running> {
  const { isDemo, collects } = readArguments(args);
  const config = isDemo ? await demoConfig(env) : await configOf(env);
  const logger = pino({ level: config.logLevel, base: null, serializers: { err: errorForLog } }, logs);
  const deployment = isDemo ? await openDemo(config, systemClock, logger) : await openDeployment(config, systemClock, logger, env);
  // Its modules load while the store reads what the first status needs.
  const { serve } = await import('./serve.js');
  const { server, origin, stopServing } = await serve(deployment, logger).catch(async (error: unknown) => {
    await deployment.close();
    throw error;
  });
  announce(print, deployment, origin(), isDemo);
  deployment.watch();
  const options = { deployment, clock: systemClock, logger, origin, env, pid, print };
  const collecting = collects ? startCollecting(options) : followAllowlist(options);
  // Whoever collects creates them.
  if (!collects) void deployment.tasks.reportMissingIndexes();
  return {
    stop: async () => {
      logger.info('stopping');
      await stop(server, collecting, deployment, stopServing);
      logger.info('stopped');
    },
  };
}

async function stop(server: Server, collecting: Collecting | null, deployment: Deployment, stopServing: () => void): Promise<void> {
  stopServing();
  await Promise.all([drain(server, DRAIN), collecting?.stop()]);
  await deployment.close();
}

function announce(print: (line: string) => void, { config }: Deployment, origin: string, isDemo: boolean): void {
  print(`Vitrine listens on ${origin}`);
  if (config.site !== null) print(`  pages            ${origin}/`);
  print(`  overview         ${origin}/api/v1/overview`);
  print(`  status           ${origin}/api/v1/status`);
  print(`  commits          ${origin}/api/v1/development/commits`);
  print(`  everything else  ${origin}/openapi.json`);
  print(isDemo ? 'Serving demonstration data, which is removed when the server stops.' : servedLine(config));
}

function servedLine({ file, store, approved, patterns, sources, services }: Config): string {
  const found = patterns.map(({ owner }) => ` and ${owner}/*`).join('');
  const counts = [`repositories: ${approved.length}${found}`, `services: ${services.length}`, `sources: ${sources.length}`].join(', ');
  return `Configured by ${file} (${counts}); records are kept in ${placeOf(store)}.`;
}

function placeOf(store: StoreConfig): string {
  return store.kind === 'mongodb' ? `MongoDB at ${store.hosts}` : (store.path ?? 'temporary files, which are removed at the end');
}
