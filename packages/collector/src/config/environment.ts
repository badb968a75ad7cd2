import { show } from '../validation/show.js';
import { LOG_LEVELS, type LogLevel } from './config.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** What the environment overrides; absent where it says nothing. */
export interface Overrides {
  readonly port?: number;
  readonly host?: string;
  readonly logLevel?: LogLevel;
}

const HOST = /^[A-Za-z0-9._:%-]{1,255}$/;

export const PORT_RULE = 'a whole number from 0 to 65535, where 0 takes any free port';
export const HOST_RULE = 'a host name or an IP address, such as 127.0.0.1 or 0.0.0.0';

/** The configuration file's path: `VITRINE_CONFIG`, or `vitrine.yaml` in the working folder. */
export function configFile(env: Environment): string {
  return given(env['VITRINE_CONFIG']) ?? 'vitrine.yaml';
}

/** `PORT`, `HOST` and `LOG_LEVEL`. An empty variable is none. */
export function readEnvironment(env: Environment): { readonly overrides: Overrides; readonly problems: readonly string[] } {
  const port = given(env['PORT']);
  const host = given(env['HOST']);
  const level = given(env['LOG_LEVEL']);
  const logLevel = LOG_LEVELS.find((known) => known === level);
  const problems: string[] = [];
  if (port !== null && parsePort(Number(port)) === null) problems.push(`PORT: ${show(port)} is no port; write ${PORT_RULE}`);
  if (host !== null && !isHost(host)) problems.push(`HOST: ${show(host)} is no host; write ${HOST_RULE}`);
  if (level !== null && logLevel === undefined) problems.push(`LOG_LEVEL: ${show(level)} is no level; write one of ${LOG_LEVELS.join(', ')}`);
  return {
    overrides: { ...(port !== null && { port: Number(port) }), ...(host !== null && { host }), ...(logLevel !== undefined && { logLevel }) },
    problems,
  };
}

export function parsePort(value: unknown): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 65_535 ? value : null;
}

export function isHost(value: unknown): value is string {
  return typeof value === 'string' && HOST.test(value);
}

function given(value: string | undefined): string | null {
  return value === undefined || value.trim() === '' ? null : value;
}
