import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';

/** A readable name for a process that requests a lease. It is unique, because processes in containers often have the same name and number. */
export function leaseHolder(pid: number): string {
  return `${hostname()}, process ${String(pid)} (${randomBytes(3).toString('hex')})`;
}
