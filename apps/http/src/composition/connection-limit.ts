import { readFile } from 'node:fs/promises';
import { CONNECTION_LIMITS } from '../serving/connections.js';

/** File descriptors that are reserved for everything except client connections: the store, the configuration, sources, the log. */
const RESERVED = 512;
/** What macOS lets a process open; Windows lets it open more. */
const UNKNOWN_LIMIT = 10_240;

/** How many clients may be connected at a time, so that enough descriptors are left for files. Where few may be open in all, files get half of them. */
export function connectionLimit(descriptors: number): number {
  return Math.min(CONNECTION_LIMITS.maxConnections, Math.max(descriptors - RESERVED, Math.floor(descriptors / 2)));
}

/** How many descriptors this process may have open, from the text of `/proc/self/limits`. Node has raised the soft limit to the hard one when it started. */
export function descriptorLimit(limits: string): number {
  const soft = /^Max open files +(\S+)/m.exec(limits)?.[1];
  if (soft === 'unlimited') return Infinity;
  const limit = Number(soft);
  return Number.isInteger(limit) && limit > 0 ? limit : UNKNOWN_LIMIT;
}

/** The connections that this process may accept at a time. Systems without `/proc` are taken for one that lets it open 10,240 files. */
export async function ownConnectionLimit(): Promise<number> {
  return connectionLimit(descriptorLimit(await readFile('/proc/self/limits', 'utf8').catch(() => '')));
}
