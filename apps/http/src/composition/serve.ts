import { once } from 'node:events';
import type { Server } from 'node:http';
import { readFile } from 'node:fs/promises';
import type { TextRenderer } from '@vitrine/pages';
import type { Logger } from 'pino';
import { type CollectorHealth, HttpServer } from '../serving/server.js';
import { createApplication } from './application.js';
import type { Deployment } from './deployment.js';
import { pathOfUrl, siteOf } from './handler-options.js';
import { unobtainable } from './start-errors.js';
import { CONNECTION_LIMITS } from '../serving/connections.js';

/** Listens, and answers from the store of a deployment. Throws a `StartError` if it cannot listen. @param collector `null` if no process collects for this server */
export async function serve(deployment: Deployment, collector: CollectorHealth | null, logger: Logger, texts?: TextRenderer) {
  const { config, known, readers, changeFeed, localSearch, health, storeSlots, approved } = deployment;
  const { cacheAnswers, purgeHeader, trustProxy, keepAliveMs } = config.server;
  const site = await siteOf(config.site);
  const server = new HttpServer({ limits: { maxConnections: await ownConnectionLimit() }, keepAliveMs });
  await listen(server, config.server);
  // The first connection comes in a later turn of the event loop.
  const origin = originOf(server, config.server.host);
  const publicUrl = config.publicUrl ?? origin;
  const { limits } = config;
  const parts = { readers, changeFeed, localSearch, health, storeSlots, approved, collector, logger, texts, site, readsAhead: true };
  const application = createApplication({ ...parts, basePath: pathOfUrl(publicUrl), publicUrl, limits, cacheAnswers, purgeHeader, trustProxy });
  server.answerWith(application.requests);
  void known.then(() => application.begin());
  return { server, origin, application };
}

async function listen(server: Server, { host, port }: Deployment['config']['server']): Promise<void> {
  try {
    await once(server.listen(port, host), 'listening');
  } catch (error) {
    throw unobtainable(reasonOf(error, host, port));
  }
}

function reasonOf(error: unknown, host: string, port: number): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'unknown';
  if (code === 'EADDRINUSE') return `Port ${String(port)} of ${host} is in use by another process; stop it, or set another one with PORT.`;
  if (code === 'EACCES') return `Port ${String(port)} of ${host} may not be used by this user; set one above 1023 with PORT.`;
  return `${host} port ${String(port)} cannot be listened on (${code}); set others with HOST and PORT.`;
}

function originOf(server: Server, host: string): string {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${String(port)}`;
}

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
async function ownConnectionLimit(): Promise<number> {
  return connectionLimit(descriptorLimit(await readFile('/proc/self/limits', 'utf8').catch(() => '')));
}
