import { leaseHolder } from '@vitrine/collector/server';
import type { Config, Environment, StoreConfig } from '@vitrine/config';
import type { TextRenderer } from '@vitrine/pages';
import { type DestinationStream, type Logger, pino } from 'pino';
import { drain } from '../serving/server.js';
import { type Assignment, Collector, type LaunchCollector } from './collecting/collector.js';
import { configOf, type Deployment, openDemo, openDeployment } from './deployment.js';
import { errorForLog } from './logging.js';
import { isDatabaseError } from './open-store.js';
import { unusable } from './start-errors.js';
import { systemClock } from '../serving/computations.js';
import { VERSION } from '../openapi/document.js';

export interface StartOptions {
  readonly args: readonly string[];
  readonly env: Environment;
  /** The process id. Other processes name it in their messages when they wait for the lease. */
  readonly pid: number;
  readonly print: (line: string) => void;
  readonly logs: DestinationStream;
  readonly launch: LaunchCollector;
  readonly texts?: TextRenderer | undefined;
}

export interface Running {
  /** Stops the sources within 12 seconds, and closes the store. */
  readonly stop: () => Promise<void>;
}

const DRAIN = { graceMs: 500, deadlineMs: 10_000 };

/** Opens the store, listens, then lets the collector begin. Throws a `StartError` with lines for people. */
export async function start(options: StartOptions): Promise<Running> {
  const { args, env, print, logs, texts } = options;
  const { isDemo, collects } = readArguments(args);
  const config = await configOf(env, isDemo);
  const logger = pino({ level: config.logLevel, base: null, serializers: { err: errorForLog } }, logs);
  const deployment = isDemo ? await openDemo(config, systemClock) : await openDeployment(config, systemClock, logger, env);
  let listens: (origin: string) => void = () => undefined;
  const address = new Promise<string>((resolve) => (listens = resolve));
  // On a database, the process that collects keeps search in line with the allowlist.
  const needsCollector = collects || (!isDemo && deployment.folder !== null);
  const collector = needsCollector ? startCollector(options, logger, { ...deployment, collects, address }) : null;
  // Its modules load while the store reads the sums of the first status, and while the collector starts.
  const { serve } = await import('./serve.js');
  const { server, origin, application } = await serve(deployment, collector, logger, texts).catch(async (error: unknown) => {
    await collector?.stop();
    await deployment.close();
    throw error;
  });
  announce(print, deployment, origin, isDemo);
  deployment.watch();
  listens(origin);
  // Whoever collects creates them.
  if (!collects) void reportMissingIndexes(deployment, logger);
  return {
    stop: async () => {
      logger.info('stopping');
      application.stop();
      await Promise.all([drain(server, DRAIN), collector?.stop()]);
      await deployment.close();
      logger.info('stopped');
    },
  };
}

async function reportMissingIndexes({ connected, missingIndexes, explain }: Deployment, logger: Logger): Promise<void> {
  try {
    await connected;
    const missing = await missingIndexes();
    if (missing.length > 0)
      logger.warn(
        { missing },
        'the database lacks indexes, so the lists that need them fail with 503; create them with: npm run vitrine -- store init',
      );
  } catch (error) {
    const known = explain(error);
    if (isDatabaseError(known)) logger.warn({ problem: known.message }, 'the indexes could not be looked at');
  }
}

type Assigned = Pick<Assignment, 'folder' | 'collects'> & Pick<Deployment, 'present'> & { readonly address: Promise<string> };

function startCollector({ launch, logs, print, pid }: StartOptions, logger: Logger, { folder, present, collects, address }: Assigned): Collector {
  const holder = leaseHolder(pid);
  const assignment = async (): Promise<Assignment> => ({ folder, collects, holder, origin: await address, config: present() });
  return new Collector({ launch, assignment, logger, logs, print });
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

const OPTIONS: Readonly<Record<string, string>> = {
  '--demo': 'serve demo data (in temporary files) and ignore the configuration',
  '--no-collect': 'serve only: run no source',
  '--version': 'show the version',
  '--help': 'show this text',
};

export function informationFor(args: readonly string[]): string | null {
  if (args.some((argument) => argument === '--help' || argument === '-h')) return help();
  return args.some((argument) => argument === '--version' || argument === '-V') ? VERSION : null;
}

function readArguments(args: readonly string[]) {
  const unknown = args.find((argument) => !Object.hasOwn(OPTIONS, argument));
  if (unknown !== undefined) throw unusable(`${unknown} is not an argument of the server. Use ${Object.keys(OPTIONS).join(', ')}.`);
  const isDemo = args.includes('--demo');
  return { isDemo, collects: !isDemo && !args.includes('--no-collect') };
}

function help(): string {
  const width = Math.max(...Object.keys(OPTIONS).map((name) => name.length));
  return [
    'Usage: npm start -- [options]',
    '',
    'Serves the pages and the API of Vitrine, and collects their records. The configuration is vitrine.yaml, or the file that VITRINE_CONFIG names.',
    '',
    'Options:',
    ...Object.entries(OPTIONS).map(([name, description]) => `  ${name.padEnd(width)}  ${description}`),
    '',
    'To import, export or check, see: npm run vitrine -- --help',
  ].join('\n');
}
