import 'reflect-metadata';
import { DAY, given, MINUTE, SECOND, ServiceBoard, wireUseCases } from '@vitrine/core';
import type { ChangeFeed, Clock, Deadlines, Incident, IncidentReader, StoreReaders, UseCases } from '@vitrine/core';
import { DEFAULT_SITE, detectedTexts, type Site, type TextRenderer, WorkerTextRenderer } from '@vitrine/pages';
import { inject, injectable, type ServiceIdentifier } from 'inversify';
import type { Logger } from 'pino';
import type { RateLimits, TrustProxy } from '../serving/client-address.js';
import { Admission, monotonicClock, REQUEST_BUDGET_MS, STORE_SLOTS, systemClock, TimerDeadlines } from '../serving/computations.js';
import type { PurgeHeader } from '../serving/envelope.js';
import type { Lifecycle } from '../serving/exchange.js';
import { type CollectorHealth, Readiness, RequestLog } from '../serving/server.js';
import { RateLimiter } from '../serving/rate-limiter.js';
import { Answers, type ApprovedSource, RememberedApproval } from '../serving/request.js';
import { ALWAYS_READY, KeptSyncReader, StoreGuard, type StoreHealth } from '../serving/store-guard.js';
import type { CopyPlan } from '../views/copy/copy-plan.js';
import type { LocalSearch } from './deployment.js';
import { LoggingGateMonitor } from './logging.js';

/** What every deployment, and every test, says. */
interface RequiredParts {
  readonly readers: StoreReaders;
  readonly approved: ApprovedSource;
  readonly logger: Logger;
  readonly publicUrl: string;
  readonly basePath: string;
}

interface OptionalParts {
  /** `null`: answers are kept for as long as their `Cache-Control` says. */
  readonly changeFeed: ChangeFeed | null;
  /** By default, of a store that was opened before. */
  readonly health: StoreHealth;
  /** `null`: the store has its own index, which is complete. */
  readonly localSearch: Pick<LocalSearch, 'isBuilding' | 'onIndexed'> | null;
  readonly collector: CollectorHealth | null;
  /** The texts of the pages; `null`: only the API is served. */
  readonly site: Site | null;
  /** The copy of the site that is made; `null`: the site is served. */
  readonly copy: CopyPlan | null;
  readonly requestBudgetMs: number;
  /** Requests that may ask the store at a time; by default as many as a store has connections. */
  readonly storeSlots: number;
  readonly cacheAnswers: boolean;
  /** Whether the sums of a status are read before a request needs them. */
  readonly readsAhead: boolean;
  readonly purgeHeader: PurgeHeader | null;
  readonly limits: RateLimits | null;
  readonly trustProxy: TrustProxy | null;
  readonly clock: Clock;
  /** A clock that does not jump. */
  readonly evenClock: Clock;
  readonly deadlines: Deadlines;
  /** By default, of a separate thread with the default limits. */
  readonly texts: TextRenderer;
}

/** What differs between one deployment, or one test, and the next. */
export type Parts = RequiredParts & { readonly [Name in keyof OptionalParts]?: OptionalParts[Name] | undefined };

const DEFAULTS: Omit<OptionalParts, 'texts'> = {
  ...{ changeFeed: null, localSearch: null, collector: null, site: null, copy: null, purgeHeader: null, limits: null, trustProxy: null },
  ...{ health: ALWAYS_READY, requestBudgetMs: REQUEST_BUDGET_MS, storeSlots: STORE_SLOTS, cacheAnswers: true, readsAhead: false },
  ...{ clock: systemClock, evenClock: monotonicClock, deadlines: new TimerDeadlines() },
};

export type Given = ReturnType<typeof withDefaults>;

export const GIVEN: ServiceIdentifier<Given> = Symbol('Given');

export function withDefaults(parts: Parts) {
  const { texts = textRenderer(parts), approved, ...others } = { ...DEFAULTS, ...given(parts) };
  return { ...others, texts, approved: new RememberedApproval(approved) };
}

/** No client waits for the pages of a copy, so it waits longer for texts than a served page. */
const LIMITS_OF_COPIES = { startMs: MINUTE, deadlineMs: 10 * SECOND, patienceMs: DAY };

function textRenderer({ copy = null, logger }: Parts): TextRenderer {
  const onFailure = (length: number): void =>
    logger.warn({ length }, 'a text of a record took too long to render, so pages show it as plain text; the text may be an attack');
  return new WorkerTextRenderer({ ...(copy !== null && LIMITS_OF_COPIES), onFailure });
}

/** Every use case over the guarded readers of the store. Sync records and the sums of a status are kept until they change. */
@injectable()
export class Store {
  readonly guard: StoreGuard;
  readonly syncs: KeptSyncReader;
  readonly board: ServiceBoard;
  readonly useCases: UseCases;
  /** The use cases of pages, feeds and the calendar. They give the texts of detected incidents in the language of the site. */
  readonly useCasesOfPages: UseCases;

  constructor(@inject(GIVEN) { readers: unguarded, health, clock, deadlines, changeFeed, logger, site }: Given) {
    this.guard = new StoreGuard(unguarded, { health, clock, deadlines, onChange: circuitLog(logger) });
    const { readers } = this.guard;
    const isTold = changeFeed !== null;
    this.syncs = new KeptSyncReader(readers.syncs, deadlines, isTold);
    this.board = new ServiceBoard(readers.checks, { deadlines, isTold });
    const gateMonitor = new LoggingGateMonitor(logger);
    const [answered, options] = [
      { ...readers, syncs: this.syncs },
      { clock, gateMonitor, deadlines, board: this.board },
    ];
    this.useCases = wireUseCases(answered, options);
    const incidents = localized(readers.incidents, detectedTexts(site ?? DEFAULT_SITE));
    this.useCasesOfPages = wireUseCases({ ...answered, incidents }, options);
  }
}

/** The incidents with the texts of Vitrine in the language of the site. */
function localized(incidents: IncidentReader, inLanguage: (incident: Incident) => Incident): IncidentReader {
  return {
    list: async (query, context) => {
      const page = await incidents.list(query, context);
      return { ...page, items: page.items.map(inLanguage) };
    },
    byId: async (id, context) => {
      const incident = await incidents.byId(id, context);
      return incident === null ? null : inLanguage(incident);
    },
    unresolved: async (notAfter, context) => (await incidents.unresolved(notAfter, context)).map(inLanguage),
  };
}

function circuitLog(logger: Logger): (reader: string, isOpen: boolean) => void {
  return (reader, isOpen) => {
    if (isOpen)
      logger.warn({ reader }, 'the store does not respond in time; it is tried once a second, and last good responses are served meanwhile');
    else logger.info({ reader }, 'the store responds again');
  };
}

@injectable()
export class Serving {
  readonly lifecycle: Lifecycle = { phase: 'starting' };
  readonly readiness: Readiness;
  readonly log: RequestLog;
  readonly limiter: RateLimiter | null;
  readonly answers: Answers;

  constructor(@inject(GIVEN) given: Given, { guard }: Store) {
    const { clock, approved, logger, storeSlots, cacheAnswers, purgeHeader } = given;
    this.readiness = new Readiness({ ...given, lifecycle: this.lifecycle, isFailing: () => guard.isFailing });
    this.log = new RequestLog(logger);
    this.limiter = rateLimiter(given);
    this.answers = new Answers({ clock, approved, admission: new Admission(storeSlots), reuses: cacheAnswers, purgeHeader });
  }
}

/** Throws a `RangeError` if `trustProxy` is not valid. */
function rateLimiter({ limits, trustProxy, evenClock, logger }: Given): RateLimiter | null {
  if (limits === null) return null;
  const onUntrustedProxy = (): void => {
    logger.warn(
      'requests come through a proxy that is not trusted, so the clients behind it are not limited one by one; set trustProxy (server.trustProxy in vitrine.yaml) to the number or the addresses of your proxies',
    );
  };
  return new RateLimiter({ limits, trustProxy, clock: evenClock, onUntrustedProxy });
}
