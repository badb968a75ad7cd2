import { DAY, SECOND } from '@vitrine/core';
import { readConfig, type Config, type ServiceConfig, type SourceConfig, type StoreConfig } from '@vitrine/collector';
import type { CommandContext } from '../command-context.js';
import { EXIT, type ExitCode } from '../exit-codes.js';

/** Checks the configuration and says what would be done. Nothing is read but the configuration, and nothing is written. */
export async function check({ env, print, warn }: CommandContext): Promise<ExitCode> {
  const config = await readConfig(env);
  for (const line of describe(config)) print(line);
  for (const warning of config.warnings) warn(warning);
  return config.warnings.length === 0 ? EXIT.fine : EXIT.partly;
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
