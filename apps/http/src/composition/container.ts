import 'reflect-metadata';
import {
  DAY,
  SECOND,
  createUseCases,
  ServiceBoard,
  type ChangeFeed,
  type Clock,
  type Deadlines,
  type StoreReaders,
  type GateMonitor,
} from '@vitrine/core';
import { WorkerTextRenderer, type TextRenderer } from '@vitrine/pages';
import { Container, ContainerModule } from 'inversify';
import type { Logger } from 'pino';
import { Answers, RememberedApproval, type ApprovedSource } from '../serving/request.js';
import { Admission, TimerDeadlines } from '../serving/admission.js';
import { Lifecycle, Readiness, type CollectorHealth } from '../serving/lifecycle.js';
import { RequestLog } from '../serving/server.js';
import { ALWAYS_READY, StoreGuard, type StoreHealth } from '../serving/store-guard.js';
import { followChanges, KeptSyncReader, type Followers } from './followers.js';
import { httpModule } from './http-module.js';
import { LoggingGateMonitor } from './store-log.js';
import { monotonicClock, systemClock, type Settings } from './settings.js';
import { tokens } from './tokens.js';
import { UNLIMITED, type RequestLimiter } from '../serving/exchange.js';
import { RateLimiter } from '../serving/rate-limiter.js';

/** What differs between one deployment, or one test, and the next. */
export interface Parts {
  readonly readers: StoreReaders;
  /** Default: none. Answers are then kept for as long as their `Cache-Control` says. */
  readonly changeFeed?: ChangeFeed | undefined;
  /** Default: a store that was opened before. */
  readonly health?: StoreHealth;
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
  const { readers, changeFeed = null, health = ALWAYS_READY, approved, settings, logger, clock = systemClock, evenClock = monotonicClock } = parts;
  const container = new Container();
  const permission = new RememberedApproval(approved);
  const { deadlines = new TimerDeadlines(), collector = null } = parts;
  const lifecycle = new Lifecycle();
  const guard = guarded(readers, { health, clock, deadlines }, logger);
  container.bind(tokens.settings).toConstantValue(settings);
  container.bind(tokens.clock).toConstantValue(clock);
  container.bind(tokens.deadlines).toConstantValue(deadlines);
  container.bind(tokens.gateMonitor).toConstantValue(new LoggingGateMonitor(logger));
  container.bind(tokens.approvedSource).toConstantValue(permission);
  container.bind(tokens.lifecycle).toConstantValue(lifecycle);
  container.bind(tokens.readiness).toConstantValue(new Readiness({ lifecycle, health, collector, isFailing: () => guard.isFailing }));
  container
    .bind(tokens.answers)
    .toConstantValue(new Answers({ clock, approved: permission, admission: new Admission(settings.storeSlots), reuses: settings.cacheAnswers }));
  container.bind(tokens.limiter).toConstantValue(requestLimiter(settings, evenClock, logger));
  container.bind(tokens.texts).toConstantValue(parts.texts ?? textRenderer(settings, logger));
  container.bind(tokens.requestLog).toConstantValue(new RequestLog(logger));
  container.bind(tokens.changeFeed).toConstantValue(changeFeed);
  container.bind(tokens.readers).toConstantValue(guard.readers);
  container.load(useCasesModule, httpModule);
  const [answers, syncs, board] = [container.get(tokens.answers), container.get(tokens.syncs), container.get(tokens.board)];
  const followers = { answers, syncs, board, places: container.get(tokens.places), approved: permission };
  container.bind(tokens.unfollow).toConstantValue(followed(changeFeed, followers, logger));
  return container;
}

function guarded(readers: StoreReaders, options: Omit<ConstructorParameters<typeof StoreGuard>[1], 'onChange'>, logger: Logger): StoreGuard {
  const onChange = (reader: string, isOpen: boolean): void => {
    if (isOpen)
      logger.warn({ reader }, 'the store does not respond in time; it is tried once a second, and last good responses are served meanwhile');
    else logger.info({ reader }, 'the store responds again');
  };
  return new StoreGuard(readers, { ...options, onChange });
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

/** Every use case over the readers of the store. Sync records and the sums of a status are cached until they change. */
const useCasesModule = new ContainerModule(({ bind }) => {
  bind(tokens.syncs)
    .toResolvedValue(
      (readers: StoreReaders, deadlines: Deadlines, feed: ChangeFeed | null) => new KeptSyncReader(readers.syncs, deadlines, feed !== null),
      [tokens.readers, tokens.deadlines, tokens.changeFeed],
    )
    .inSingletonScope();
  bind(tokens.board)
    .toResolvedValue(
      ({ checks }: StoreReaders, deadlines: Deadlines, feed: ChangeFeed | null) => new ServiceBoard(checks, { deadlines, isTold: feed !== null }),
      [tokens.readers, tokens.deadlines, tokens.changeFeed],
    )
    .inSingletonScope();
  bind(tokens.useCases)
    .toResolvedValue(
      (readers: StoreReaders, syncs: KeptSyncReader, board: ServiceBoard, gateMonitor: GateMonitor, deadlines: Deadlines, clock: Clock) =>
        createUseCases({ ...readers, syncs }, { clock, gateMonitor, deadlines, board }),
      [tokens.readers, tokens.syncs, tokens.board, tokens.gateMonitor, tokens.deadlines, tokens.clock],
    )
    .inSingletonScope();
});

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
