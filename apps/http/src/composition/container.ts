import 'reflect-metadata';
import type { Clock, StoreReaders } from '@vitrine/core';
import { Container } from 'inversify';
import type { Logger } from 'pino';
import type { ApprovedSource } from '../http/approved-source.js';
import { Admission } from '../resilience/admission.js';
import { LastGoodCopies } from '../resilience/last-good-copies.js';
import { Lifecycle } from '../http/lifecycle.js';
import { Readiness } from '../http/readiness.js';
import { RequestLog } from '../http/request-log.js';
import { ALWAYS_READY, type StoreHealth } from '../resilience/store-health.js';
import { httpModule } from './http-module.js';
import { LoggingGateMonitor } from './logging-gate-monitor.js';
import type { Settings } from './settings.js';
import { StoreGuard } from '../resilience/store-guard.js';
import { systemClock } from './system-clock.js';
import { TimerDeadlines } from '../resilience/timer-deadlines.js';
import { tokens } from './tokens.js';
import { useCasesModule } from './use-cases-module.js';

/** What differs between one deployment, or one test, and the next. */
export interface Parts {
  readonly readers: StoreReaders;
  /** Default: a store that was opened before. */
  readonly health?: StoreHealth;
  readonly approved: ApprovedSource;
  readonly settings: Settings;
  readonly logger: Logger;
  /** Default: the system's. */
  readonly clock?: Clock;
}

export function buildContainer({ readers, health = ALWAYS_READY, approved, settings, logger, clock = systemClock }: Parts): Container {
  const container = new Container();
  const deadlines = new TimerDeadlines();
  const lifecycle = new Lifecycle();
  const onChange = (reader: string, isOpen: boolean): void => {
    if (isOpen) logger.warn({ reader }, 'the store does not answer in time; it is asked once a second, and the last good answers serve');
    else logger.info({ reader }, 'the store answers again');
  };
  const guard = new StoreGuard(readers, { health, clock, deadlines, onChange });
  container.bind(tokens.settings).toConstantValue(settings);
  container.bind(tokens.clock).toConstantValue(clock);
  container.bind(tokens.deadlines).toConstantValue(deadlines);
  container.bind(tokens.gateMonitor).toConstantValue(new LoggingGateMonitor(logger));
  container.bind(tokens.approvedSource).toConstantValue(approved);
  container.bind(tokens.lifecycle).toConstantValue(lifecycle);
  container.bind(tokens.readiness).toConstantValue(new Readiness(lifecycle, health, () => guard.isFailing));
  container.bind(tokens.admission).toConstantValue(new Admission(settings.storeSlots));
  container.bind(tokens.lastGoodCopies).toConstantValue(new LastGoodCopies());
  container.bind(tokens.requestLog).toConstantValue(new RequestLog(logger));
  container.bind(tokens.readers).toConstantValue(guard.readers);
  container.load(useCasesModule, httpModule);
  return container;
}
