import { DAY, grouped, nameOfRef, NO_REPOSITORY, SECOND, withoutCredentials } from '@vitrine/core';
import { configuredOrigin, heartbeatTokenProblem, pathProblems } from '@vitrine/collector';
import {
  type Config,
  type Environment,
  type FilesSourceConfig,
  type OwnerPattern,
  type ReachedServiceConfig,
  type ServiceConfig,
  type SourceConfig,
  type StoreConfig,
  unallowedPrivateHosts,
} from '@vitrine/config';
import { readConfig } from '@vitrine/collector';
import { checkStoreFolder, StoreFolderError } from '@vitrine/adapters-sqlite';
import { counted, EXIT, type CommandContext, type ExitCode } from '../context.js';

/** Checks the configuration, opens every path in it, and prints what Vitrine would do. It leaves no file behind and sends no network requests. */
export async function check({ env, print, warn, signal }: CommandContext): Promise<ExitCode> {
  const config = await readConfig(env);
  const problems = [
    ...config.warnings,
    ...keyProblems(config),
    ...unallowedPrivateHosts(config),
    ...variableProblems(config, env),
    ...(await storeProblems(config.store)),
    ...(await pathProblems(config, { environment: env, signal })),
  ];
  if (problems.length === 0) print(`${config.file} can be used.`);
  for (const line of describe(config)) print(withoutCredentials(line));
  for (const problem of problems) warn(problem);
  print(`${counted(config.sources.length, 'source')}, ${counted(config.services.length, 'service')}, ${counted(problems.length, 'problem')}.`);
  return problems.length === 0 ? EXIT.fine : EXIT.partly;
}

/** Keys are compared with their letter case. Two that differ in it only are easily taken for one another. */
function keyProblems({ services }: Config): readonly string[] {
  const byKey = grouped(services, ({ key }) => key.toLowerCase());
  return [...byKey.values()].flatMap(([first, ...others]) =>
    others.map(({ key }) => `The service keys ${String(first?.key)} and ${key} differ in their letter case only. Rename one of them.`),
  );
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
  const { store, approved, patterns, sources, services, heartbeats } = config;
  return [
    servesLine(config),
    storeLine(store),
    ...(heartbeats === null ? [] : [`Receives heartbeats on ${heartbeats.host} port ${String(heartbeats.port)}, while it collects continuously.`]),
    ...(approved.length + patterns.length === 0 ? ['Shows no repository, because the list approved is empty.'] : []),
    ...approved.map(({ fullName, forgeId }) => `Shows ${fullName}${forgeId === null ? '' : ` while its forge id is ${forgeId}`}.`),
    ...patterns.map(patternLine),
    ...sources.map(sourceLine),
    ...services.map(serviceLine),
  ];
}

/** Without `publicUrl`, others may not reach the addresses that records and feeds name. */
function servesLine(config: Config): string {
  const { publicUrl, server } = config;
  const serves = `Serves on ${server.host} port ${String(server.port)}`;
  if (publicUrl !== null) return `${serves}, public at ${publicUrl}.`;
  return `${serves}. publicUrl is missing, so records, feeds and badges name ${configuredOrigin(config)}: write the address under which people reach this server.`;
}

function patternLine({ owner, except, forks, archived, api, intervalMs }: OwnerPattern): string {
  const also = [...(forks ? ['forks'] : []), ...(archived ? ['archived ones'] : [])];
  const included = also.length === 0 ? '' : `, also ${also.join(' and ')}`;
  const excluded = except.length === 0 ? '' : `, except ${except.map(({ fullName }) => fullName).join(', ')}`;
  return `Shows the public repositories of ${owner}${included}${excluded}, which it lists every ${seconds(intervalMs)} from ${api}.`;
}

function storeLine(store: StoreConfig): string {
  const retained = `raw checks for ${String(store.retentionMs / DAY)} days`;
  if (store.kind === 'mongodb') return `Keeps records in MongoDB at ${store.hosts}, ${retained}.`;
  return store.path === null ? 'Keeps records in temporary files, which are removed at the end.' : `Keeps records in ${store.path}, ${retained}.`;
}

function sourceLine(source: SourceConfig): string {
  const every = `every ${seconds(source.intervalMs)}`;
  switch (source.kind) {
    case 'records':
      return `Reads records from ${source.path} ${every}.`;
    case 'git':
      return `Reads the history of ${source.name.fullName} from ${source.location} ${every}, public at ${source.url}${source.findings ? ', and makes findings of its branches' : ''}.`;
    case 'forge':
      return `Reads releases, builds and milestones of ${source.name.fullName} from ${source.api} ${every}, public at ${source.url}.`;
    case 'feed':
      return `Reads news of ${source.label} from ${source.address} ${every}.`;
    case 'video':
      return `Reads videos of ${source.label} from ${source.address} ${every}.`;
    case 'articles':
      return `Reads the articles in ${placeOf(source)} ${every}.`;
    case 'incidents':
      return `Reads incidents from ${source.path} ${every}.`;
    case 'statuspage':
      return `Reads the status page of ${source.label} at ${source.address} ${every}.`;
    case 'changelog':
      return `Reads the changelog ${placeOf(source)} ${every}.`;
  }
}

function placeOf({ from, path, ref }: FilesSourceConfig): string {
  if (from === 'disk') return path;
  const repository = ref === NO_REPOSITORY ? '' : nameOfRef(ref);
  return from === 'releases' ? `in the releases of ${repository}` : `${path === '' ? '.' : path} of the default branch of ${repository}`;
}

function serviceLine(service: ServiceConfig): string {
  const { key, name, intervalMs } = service;
  const every = `as ${key} (${name}) every ${seconds(intervalMs)}`;
  if (service.check === 'self') return `Checks its own health ${every}, while it serves.`;
  if (service.check === 'heartbeat') return `Expects heartbeats ${every}, at most ${seconds(service.graceMs)} late.`;
  return `Checks ${targetOf(service)} ${every}${service.dependency ? ', as a dependency' : ''}.`;
}

function targetOf({ check: kind, target }: ReachedServiceConfig): string {
  if (kind === 'http') return target;
  return kind === 'tcp' ? `${target.host} port ${String(target.port)}` : `the name ${target}`;
}

function variableProblems({ services, sources, patterns }: Config, env: Environment): readonly string[] {
  const ofServices = services.flatMap((service) => {
    if (service.check === 'heartbeat') return heartbeatTokenProblem(service, env) ?? [];
    if (service.check !== 'http') return [];
    const variables = service.headers.flatMap(({ value }) => (typeof value === 'string' ? [] : value.variable));
    return variables.flatMap((variable) => missingVariable(service.key, variable, env));
  });
  const tokens = [
    ...patterns.map(({ owner, token }) => ({ what: `${owner}/*`, token })),
    ...sources.flatMap((source) => (source.kind === 'forge' ? { what: source.name.fullName, token: source.token } : [])),
  ];
  const ofForges = tokens.flatMap(({ what, token }) => (token?.isRequired === true ? missingVariable(what, token.variable, env) : []));
  return [...ofForges, ...ofServices];
}

function missingVariable(what: string, variable: string, env: Environment): readonly string[] {
  const isSet = (env[variable] ?? '') !== '';
  return isSet ? [] : [`${what} needs the environment variable ${variable}, which is not set. Set it for the process that collects.`];
}

function seconds(milliseconds: number): string {
  return `${String(milliseconds / SECOND)} s`;
}
