import 'reflect-metadata';
import { DAY, SECOND, createUseCases, ServiceBoard, type ChangeFeed, type Clock, type Deadlines, type StoreReaders } from '@vitrine/core';
import { WorkerTextRenderer, type TextRenderer } from '@vitrine/pages';
import { Container, ContainerModule } from 'inversify';
import type { Logger } from 'pino';
import { Answers } from '../serving/request.js';
import { RememberedApproval, type ApprovedSource } from '../serving/permission.js';
import { Admission } from '../serving/computations.js';
import { TimerDeadlines, monotonicClock, systemClock } from '../serving/deadlines.js';
import { Lifecycle, Readiness, type CollectorHealth } from '../serving/lifecycle.js';
import { UNLIMITED, type RequestLimiter } from '../serving/exchange.js';
import { RequestLog } from '../serving/server.js';
import { ALWAYS_READY, StoreGuard, type StoreHealth } from '../serving/store-guard.js';
import { followChanges, KeptSyncReader, outdateFound, type Followers } from './followers.js';
import type { LocalSearch } from './local-search.js';
import { httpModule } from './http-module.js';
import { LoggingGateMonitor } from './logging.js';
import type { Settings } from './settings.js';
import { tokens } from './tokens.js';
import { RateLimiter } from '../serving/rate-limiter.js';

/** What differs between one deployment, or one test, and the next. */
export interface Parts {
  readonly readers: StoreReaders;
  /** Default: none. Answers are then kept for as long as their `Cache-Control` says. */
  readonly changeFeed?: ChangeFeed | undefined;
  /** Default: a store that was opened before. */
  readonly health?: StoreHealth;
  /** Default: the store has its own index, which is complete. */
  readonly localSearch?: Pick<LocalSearch, 'isBuilding' | 'onIndexed'> | null | undefined;
  /** Default: no process collects for this server. */
  readonly collector?: CollectorHealth | null;
  readonly approved: ApprovedSource;
  readonly settings: Settings;
  readonly logger: Logger;
  /** Default: the system's. */
  readonly clock?: Clock;
  /** A clock that does not jump. Default: the system's. */
  readonly evenClock?: Clock;
  /** Default: the timers of Node. */
  readonly deadlines?: Deadlines | undefined;
  /** Default: a separate thread with the default limits. */
  readonly texts?: TextRenderer | undefined;
}

export function buildContainer(parts: Parts): Container {
  const container = new Container({ defaultScope: 'Singleton' });
  container.load(givenModule(parts), storeModule, servingModule, httpModule);
  // Begins to follow the store.
  container.get(tokens.unfollow);
  const [answers, approved] = [container.get(tokens.answers), container.get(tokens.approvedSource)];
  parts.localSearch?.onIndexed((changes) => {
    outdateFound(changes, { answers, approved });
  });
  return container;
}

/** What a deployment gives. */
function givenModule(parts: Parts): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(tokens.settings).toConstantValue(parts.settings);
    bind(tokens.logger).toConstantValue(parts.logger);
    bind(tokens.clock).toConstantValue(parts.clock ?? systemClock);
    bind(tokens.evenClock).toConstantValue(parts.evenClock ?? monotonicClock);
    bind(tokens.deadlines).toConstantValue(parts.deadlines ?? new TimerDeadlines());
    bind(tokens.health).toConstantValue(parts.health ?? ALWAYS_READY);
    bind(tokens.changeFeed).toConstantValue(parts.changeFeed ?? null);
    bind(tokens.approvedSource).toConstantValue(new RememberedApproval(parts.approved));
    bind(tokens.localSearch).toConstantValue(parts.localSearch ?? null);
    bind(tokens.collector).toConstantValue(parts.collector ?? null);
    bind(tokens.storeReaders).toConstantValue(parts.readers);
    bind(tokens.texts).toResolvedValue((settings, logger) => parts.texts ?? textRenderer(settings, logger), [tokens.settings, tokens.logger]);
  });
}

/** Every use case over the guarded readers of the store. Sync records and the sums of a status are cached until they change. */
const storeModule = new ContainerModule(({ bind }) => {
  bind(tokens.guard).toResolvedValue(guarded, [tokens.storeReaders, tokens.health, tokens.clock, tokens.deadlines, tokens.logger]);
  bind(tokens.readers).toResolvedValue((guard) => guard.readers, [tokens.guard]);
  bind(tokens.gateMonitor).toResolvedValue((logger) => new LoggingGateMonitor(logger), [tokens.logger]);
  bind(tokens.syncs).toResolvedValue(
    (readers, deadlines, feed) => new KeptSyncReader(readers.syncs, deadlines, feed !== null),
    [tokens.readers, tokens.deadlines, tokens.changeFeed],
  );
  bind(tokens.board).toResolvedValue(
    ({ checks }, deadlines, feed) => new ServiceBoard(checks, { deadlines, isTold: feed !== null }),
    [tokens.readers, tokens.deadlines, tokens.changeFeed],
  );
  bind(tokens.useCases).toResolvedValue(
    (readers, syncs, board, gateMonitor, deadlines, clock) => createUseCases({ ...readers, syncs }, { clock, gateMonitor, deadlines, board }),
    [tokens.readers, tokens.syncs, tokens.board, tokens.gateMonitor, tokens.deadlines, tokens.clock],
  );
});

/** What every request passes. */
const servingModule = new ContainerModule(({ bind }) => {
  bind(tokens.lifecycle).toResolvedValue(() => new Lifecycle());
  bind(tokens.readiness).toResolvedValue(
    (lifecycle, health, collector, localSearch, guard) =>
      new Readiness({ lifecycle, health, collector, localSearch, isFailing: () => guard.isFailing }),
    [tokens.lifecycle, tokens.health, tokens.collector, tokens.localSearch, tokens.guard],
  );
  bind(tokens.requestLog).toResolvedValue((logger) => new RequestLog(logger), [tokens.logger]);
  bind(tokens.limiter).toResolvedValue(requestLimiter, [tokens.settings, tokens.evenClock, tokens.logger]);
  bind(tokens.answers).toResolvedValue(
    (clock, approved, { storeSlots, cacheAnswers }) => new Answers({ clock, approved, admission: new Admission(storeSlots), reuses: cacheAnswers }),
    [tokens.clock, tokens.approvedSource, tokens.settings],
  );
  bind(tokens.unfollow).toResolvedValue(
    (feed, logger, answers, syncs, board, places, approved) => followed(feed, { answers, syncs, board, places, approved }, logger),
    [tokens.changeFeed, tokens.logger, tokens.answers, tokens.syncs, tokens.board, tokens.places, tokens.approvedSource],
  );
});

function guarded(readers: StoreReaders, health: StoreHealth, clock: Clock, deadlines: Deadlines, logger: Logger): StoreGuard {
  const onChange = (reader: string, isOpen: boolean): void => {
    if (isOpen)
      logger.warn({ reader }, 'the store does not respond in time; it is tried once a second, and last good responses are served meanwhile');
    else logger.info({ reader }, 'the store responds again');
  };
  return new StoreGuard(readers, { health, clock, deadlines, onChange });
}

/** Returns a function that ends it. */
function followed(changeFeed: ChangeFeed | null, followers: Followers, logger: Logger): () => void {
  if (changeFeed === null) return () => undefined;
  return followChanges(changeFeed, followers, (err) => {
    logger.debug({ err }, 'the changes of the store cannot be read, so kept answers are sent until they expire');
  });
}

/** No client waits for the pages of a copy, so it waits longer for texts than a served page. */
const LIMITS_OF_COPIES = { deadlineMs: 10 * SECOND, patienceMs: DAY };

function textRenderer({ copy = null }: Settings, logger: Logger): TextRenderer {
  const onFailure = (length: number): void => {
    logger.warn({ length }, 'a text of a record took too long to render, so pages show it as plain text; the text may be an attack');
  };
  return new WorkerTextRenderer({ ...(copy !== null && LIMITS_OF_COPIES), onFailure });
}

/** The limiter of the settings. @param clock must not jump @throws RangeError if `trustProxy` is not valid */
function requestLimiter({ limits = null, trustProxy = null }: Settings, clock: Clock, logger: Logger): RequestLimiter {
  if (limits === null) return UNLIMITED;
  const onUntrustedProxy = (): void => {
    logger.warn(
      'requests come through a proxy that is not trusted, so the clients behind it are not limited one by one; set trustProxy (server.trustProxy in vitrine.yaml) to the number or the addresses of your proxies',
    );
  };
  return new RateLimiter({ limits, trustProxy, clock, onUntrustedProxy });
}
