import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Express } from 'express';
import pino from 'pino';
import { Allowlist, type ChangeFeed, type Clock, type StoreReaders } from '@vitrine/core';
import type { Site } from '@vitrine/pages';
import { buildContainer } from '../../apps/http/dist/composition/container.js';
import { tokens } from '../../apps/http/dist/composition/tokens.js';
import { createServer } from '../../apps/http/dist/serving/server.js';

/** The list that both servers answer. */
export const COMMITS_PATH = '/api/v1/development/commits';

export interface VitrineParts {
  readonly readers: StoreReaders;
  /** By default, the store does not tell what is written. */
  readonly changeFeed?: ChangeFeed;
  /** The names of the approved repositories. */
  readonly approved: readonly string[];
  readonly clock: Clock;
  /** The pages; by default none are served. */
  readonly site?: Site;
}

/** Vitrine's response to {@link COMMITS_PATH}. */
export interface VitrineAnswer {
  readonly data: unknown;
  readonly meta: unknown;
}

/**
 * Serves Vitrine on a free port of the loopback interface. Resolves with the port.
 *
 * @param byHand the hand-written app that is served instead, on the same server. It gets Vitrine's own response, so that both can send the same bytes.
 */
export async function serveVitrine(parts: VitrineParts, byHand: ((answer: VitrineAnswer) => Express) | null): Promise<number> {
  const { readers, changeFeed, clock, site = null } = parts;
  const approved = Allowlist.of(...parts.approved).approved();
  const container = buildContainer({
    readers,
    changeFeed,
    approved: { current: () => approved },
    settings: { basePath: '', publicUrl: () => 'http://127.0.0.1', requestBudgetMs: 1_500, cacheAnswers: false, site },
    logger: pino({ enabled: false }),
    clock,
  });
  const options = { answers: container.get(tokens.answers), lifecycle: container.get(tokens.lifecycle), log: container.get(tokens.requestLog) };
  container.get(tokens.lifecycle).ready();
  const listening = async (app: Express): Promise<Server> => {
    const server = createServer(app, options).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return server;
  };
  const vitrine = await listening(container.get(tokens.app));
  if (byHand === null) return portOf(vitrine);
  const response = await fetch(`http://127.0.0.1:${String(portOf(vitrine))}${COMMITS_PATH}`);
  const answer = (await response.json()) as VitrineAnswer;
  vitrine.close();
  return portOf(await listening(byHand(answer)));
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
