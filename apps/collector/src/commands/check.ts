import { DAY, SECOND } from '@vitrine/core';
import { pathProblems } from '@vitrine/collector';
import { readConfig, type Config, type ServiceConfig, type SourceConfig, type StoreConfig } from '@vitrine/config';
import { checkStoreFolder, StoreFolderError } from '@vitrine/adapters-memory';
import type { CommandContext } from '../command-context.js';
import { EXIT, type ExitCode } from '../exit-codes.js';

/** Checks the configuration, opens every path that it names, and says what would be done. Nothing is written, and nothing is asked over the network. */
export async function check({ env, print, warn, signal }: CommandContext): Promise<ExitCode> {
  const config = await readConfig(env);
  for (const line of describe(config)) print(line);
  const problems = [...config.warnings, ...(await storeProblems(config.store)), ...(await pathProblems(config, { environment: env, signal }))];
  for (const problem of problems) warn(problem);
  return problems.length === 0 ? EXIT.fine : EXIT.partly;
}

async function storeProblems(store: StoreConfig): Promise<readonly string[]> {
  if (store.kind === 'mongodb' || store.path === null) return [];
  try {
    await checkStoreFolder(store.path);
    return [];
  } catch (error) {
    if (error instanceof StoreFolderError) return [error.message];
    throw error;
  }
}

function describe(config: Config): readonly string[] {
  const { file, publicUrl, server, store, approved, sources, services } = config;
  return [
    `${file} can be used.`,
    `Serves on ${server.host} port ${String(server.port)}${publicUrl === null ? '' : `, public at ${publicUrl}`}.`,
    storeLine(store),
    ...(approved.length === 0 ? ['Shows no repository, because the list approved is empty.'] : []),
    ...approved.map(({ fullName, forgeId }) => `Shows ${fullName}${forgeId === null ? '' : ` while its forge id is ${forgeId}`}.`),
    ...sources.map(sourceLine),
    ...services.map(serviceLine),
  ];
}

function storeLine(store: StoreConfig): string {
  const retained = `raw checks for ${String(store.retentionMs / DAY)} days`;
  if (store.kind === 'mongodb') return `Keeps records in MongoDB at ${store.hosts}, ${retained}.`;
  return store.path === null ? 'Keeps records in memory only.' : `Keeps records in ${store.path}, ${retained}.`;
}

function sourceLine(source: SourceConfig): string {
  const every = `every ${seconds(source.intervalMs)}`;
  if (source.kind === 'records') return `Takes records from ${source.path} ${every}.`;
  return `Reads the history of ${source.name.fullName} from ${source.location} ${every}, public at ${source.url}.`;
}

function serviceLine({ key, name, intervalMs }: ServiceConfig): string {
  return `Checks its own health as ${key} (${name}) every ${seconds(intervalMs)}, while it serves.`;
}

function seconds(milliseconds: number): string {
  return `${String(milliseconds / SECOND)} s`;
}
