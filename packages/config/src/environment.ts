import { createRequire } from 'node:module';
import { isIP } from 'node:net';
import { show } from './validation/problems.js';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export type Environment = Readonly<Record<string, string | undefined>>;

export const MONGODB_URI = 'MONGODB_URI';

const HOST_NAME = /^[A-Za-z0-9._-]{1,255}$/;

export const PORT_RULE = 'a whole number from 0 to 65535, where 0 takes any free port';
export const HOST_RULE = 'a host name or an IP address, such as 127.0.0.1 or 0.0.0.0';

/** The configuration file's path: `VITRINE_CONFIG`, or `vitrine.yaml` in the working folder. */
export function configFile(env: Environment): string {
  return given(env['VITRINE_CONFIG']) ?? 'vitrine.yaml';
}

/** The values of `PORT`, `HOST`, `LOG_LEVEL` and `MONGODB_URI`, which override those of the file. An empty variable counts as unset. */
export function readEnvironment(env: Environment) {
  const problems: string[] = [];
  const read = <Value>(name: string, parse: (text: string) => Value | null, rule: string, shown: (text: string) => string = show) => {
    const text = given(env[name]);
    const value = text === null ? null : parse(text);
    if (text !== null && value === null) problems.push(`${name}: ${shown(text)} ${rule}`);
    return value ?? undefined;
  };
  const overrides = {
    port: read('PORT', (text) => (/^\d{1,5}$/.test(text) ? parsePort(Number(text)) : null), `is not a port; write ${PORT_RULE}`),
    host: read('HOST', (text) => (isHost(text) ? text : null), `is not a host; write ${HOST_RULE}`),
    logLevel: read(
      'LOG_LEVEL',
      (text) => LOG_LEVELS.find((known) => known === text) ?? null,
      `is not a level; write one of ${LOG_LEVELS.join(', ')}`,
    ),
    mongodb: read(MONGODB_URI, parseMongoAddress, `is not a connection string; write ${MONGO_RULE}`, () => 'what it holds'),
  };
  return { overrides, problems };
}

export type Overrides = ReturnType<typeof readEnvironment>['overrides'];

/** Whether the environment sets `MONGODB_URI`, even to an invalid value. */
export function namesMongo(env: Environment): boolean {
  return given(env[MONGODB_URI]) !== null;
}

export function parsePort(value: unknown): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 65_535 ? value : null;
}

export function isHost(value: unknown): value is string {
  return typeof value === 'string' && (isIP(value) !== 0 || HOST_NAME.test(value));
}

function given(value: string | undefined): string | null {
  return value === undefined || value.trim() === '' ? null : value;
}

const require = createRequire(import.meta.url);

export interface MongoAddress {
  readonly uri: string;
  /** Its hosts, for messages. */
  readonly hosts: string;
}

/** The value and key that select this store in the configuration file. */
export const MONGODB = 'mongodb';

export const MONGO_RULE = 'one such as mongodb://host:27017/vitrine or mongodb+srv://host/vitrine, with special characters of a password as %40';

/** Parses a connection string; `null` if it is invalid. The driver validates its options later. */
export function parseMongoAddress(uri: unknown): MongoAddress | null {
  if (typeof uri !== 'string' || /[\s\p{Cc}]/u.test(uri)) return null;
  try {
    // Loaded only if a database is configured: loading its character tables takes 5 % of the start time.
    const { ConnectionString } = require('mongodb-connection-string-url') as typeof import('mongodb-connection-string-url');
    const { hosts } = new ConnectionString(uri);
    return hosts.every((host) => host !== '') ? { uri, hosts: hosts.join(',') } : null;
  } catch {
    return null;
  }
}
