import { DAY, SECOND } from '@vitrine/core';
import { pathProblems } from '@vitrine/collector';
import { readConfig, type Config, type ServiceConfig, type SourceConfig, type StoreConfig } from '@vitrine/config';
import { checkStoreFolder, StoreFolderError } from '@vitrine/adapters-sqlite';
import type { CommandContext } from '../command-context.js';
import { EXIT, type ExitCode } from '../exit-codes.js';

/** Checks the configuration, opens every path in it, and prints what Vitrine would do. It leaves no file behind and sends no network requests. */
export async function check({ env, print, warn, signal }: CommandContext): Promise<ExitCode> {
  const config = await readConfig(env);
  const problems = [...config.warnings, ...(await storeProblems(config.store)), ...(await pathProblems(config, { environment: env, signal }))];
  if (problems.length === 0) print(`${config.file} can be used.`);
  for (const line of describe(config)) print(line);
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
  const { publicUrl, server, store, approved, sources, services } = config;
  return [
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
  return store.path === null ? 'Keeps records in temporary files, which are removed at the end.' : `Keeps records in ${store.path}, ${retained}.`;
}

function sourceLine(source: SourceConfig): string {
  const every = `every ${seconds(source.intervalMs)}`;
  if (source.kind === 'incidents') return `Takes incidents from ${source.path} ${every}.`;
  if (source.kind === 'records') return `Takes records from ${source.path} ${every}.`;
  return `Reads the history of ${source.name.fullName} from ${source.location} ${every}, public at ${source.url}.`;
}

function serviceLine({ key, name, intervalMs }: ServiceConfig): string {
  return `Checks its own health as ${key} (${name}) every ${seconds(intervalMs)}, while it serves.`;
}

function seconds(milliseconds: number): string {
  return `${String(milliseconds / SECOND)} s`;
}
