import type { ChangeFeed, Clock, Deadlines, GateMonitor, ServiceBoard, StoreReaders, UseCases } from '@vitrine/core';
import type { Pages, TextRenderer } from '@vitrine/pages';
import type { Express } from 'express';
import type { ServiceIdentifier } from 'inversify';
import type { Logger } from 'pino';
import type { StoreGuard, StoreHealth } from '../serving/store-guard.js';
import type { PresentPlaces } from '../views/present-places.js';
import type { Answers } from '../serving/request.js';
import type { RememberedApproval } from '../serving/permission.js';
import type { Endpoint } from '../serving/router.js';
import type { ErrorPages, RequestLimiter } from '../serving/exchange.js';
import type { CollectorHealth, Lifecycle, Readiness } from '../serving/lifecycle.js';
import type { LocalSearch } from './local-search.js';
import type { RequestLog } from '../serving/server.js';
import type { Settings } from './settings.js';
import type { KeptSyncReader } from './followers.js';

const token = <T>(name: string) => Symbol.for(name) as ServiceIdentifier<T>;

/** The services of the container, each with its type. */
export const tokens = {
  settings: token<Settings>('Settings'),
  logger: token<Logger>('Logger'),
  clock: token<Clock>('Clock'),
  /** Does not jump. */
  evenClock: token<Clock>('EvenClock'),
  health: token<StoreHealth>('Health'),
  /** `null`: no process collects for this server. */
  collector: token<CollectorHealth | null>('Collector'),
  localSearch: token<Pick<LocalSearch, 'isBuilding'> | null>('LocalSearch'),
  /** As the store gives them. */
  storeReaders: token<StoreReaders>('StoreReaders'),
  guard: token<StoreGuard>('Guard'),
  deadlines: token<Deadlines>('Deadlines'),
  gateMonitor: token<GateMonitor>('GateMonitor'),
  approvedSource: token<RememberedApproval>('ApprovedSource'),
  lifecycle: token<Lifecycle>('Lifecycle'),
  readiness: token<Readiness>('Readiness'),
  requestLog: token<RequestLog>('RequestLog'),
  answers: token<Answers>('Answers'),
  limiter: token<RequestLimiter>('RequestLimiter'),
  /** With circuit breakers. */
  readers: token<StoreReaders>('Readers'),
  changeFeed: token<ChangeFeed | null>('ChangeFeed'),
  syncs: token<KeptSyncReader>('Syncs'),
  board: token<ServiceBoard>('Board'),
  useCases: token<UseCases>('UseCases'),
  endpoints: token<readonly Endpoint[]>('Endpoints'),
  app: token<Express>('App'),
  /** Ends the subscription to the changes of the store. */
  unfollow: token<() => void>('Unfollow'),
  /** Renders the texts of records for pages. */
  texts: token<TextRenderer>('Texts'),
  places: token<PresentPlaces>('Places'),
  /** `null`: only the API is served. */
  pages: token<Pages | null>('Pages'),
  errorPages: token<ErrorPages | null>('ErrorPages'),
} as const;
