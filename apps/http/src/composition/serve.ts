import type { Container } from 'inversify';
import type { Logger } from 'pino';
import { createServer } from '../serving/server.js';
import { REQUEST_BUDGET_MS } from '../serving/computations.js';
import type { CollectorHealth } from '../serving/lifecycle.js';
import { ownConnectionLimit } from './connection-limit.js';
import { buildContainer } from './container.js';
import type { Deployment } from './deployment.js';
import { listen, originOf } from './listening.js';
import { siteOf } from './site.js';
import { tokens } from './tokens.js';

/** Listens, and answers from the store of a deployment. Throws a `StartError` if it cannot listen. @param collector `null` if no process collects for this server */
export async function serve(deployment: Deployment, collector: CollectorHealth | null, logger: Logger) {
  const { config, readers, changeFeed, health, storeSlots, approved } = deployment;
  const address = { origin: '' };
  const { publicUrl, limits } = config;
  const { cacheAnswers, purgeHeader, trustProxy, keepAliveMs } = config.server;
  const settings = {
    basePath: '',
    publicUrl: () => publicUrl ?? address.origin,
    requestBudgetMs: REQUEST_BUDGET_MS,
    storeSlots,
    cacheAnswers,
    purgeHeader,
    limits,
    trustProxy,
    site: await siteOf(config.site),
  };
  const container = buildContainer({ readers, changeFeed, health, collector, approved, settings, logger });
  const lifecycle = container.get(tokens.lifecycle);
  const server = createServer(container.get(tokens.app), {
    answers: container.get(tokens.answers),
    lifecycle,
    log: container.get(tokens.requestLog),
    limiter: container.get(tokens.limiter),
    errorPages: container.get(tokens.errorPages),
    limits: { maxConnections: await ownConnectionLimit() },
    keepAliveMs,
  });
  await listen(server, config.server);
  address.origin = originOf(server, config.server.host);
  lifecycle.ready();
  readBoard(container);
  return {
    server,
    origin: () => address.origin,
    stopServing: () => {
      lifecycle.stop();
      container.get(tokens.unfollow)();
    },
  };
}

/** Reads the sums of a status before the first request. If the store fails, the next request reads it again and reports the failure. */
function readBoard(container: Container): void {
  if (container.get(tokens.changeFeed) === null) return;
  const { signal } = new AbortController();
  const now = container.get(tokens.clock).now();
  container
    .get(tokens.board)
    .evidence(null, now, { signal })
    .catch(() => undefined);
}
