import 'reflect-metadata';
import type { Clock, StoreReaders } from '@vitrine/core';
import { Container } from 'inversify';
import type { Logger } from 'pino';
import type { ApprovedSource } from '../http/approved-source.js';
import { Lifecycle } from '../http/lifecycle.js';
import { RequestLog } from '../http/request-log.js';
import { contentModule } from './content-module.js';
import { developmentModule } from './development-module.js';
import { httpModule } from './http-module.js';
import { LoggingGateMonitor } from './logging-gate-monitor.js';
import { overviewModule } from './overview-module.js';
import { readersModule } from './readers-module.js';

import { repositoriesModule } from './repositories-module.js';
import type { Settings } from './settings.js';
import { sharedModule } from './shared-module.js';
import { statusModule } from './status-module.js';
import { systemClock } from './system-clock.js';
import { TimerDeadlines } from './timer-deadlines.js';
import { tokens } from './tokens.js';

/** What differs between one deployment, or one test, and the next. */
export interface Parts {
  readonly readers: StoreReaders;
  readonly approved: ApprovedSource;
  readonly settings: Settings;
  readonly logger: Logger;
  /** Default: the system's. */
  readonly clock?: Clock;
}

export function buildContainer({ readers, approved, settings, logger, clock = systemClock }: Parts): Container {
  const container = new Container();
  container.bind(tokens.settings).toConstantValue(settings);
  container.bind(tokens.clock).toConstantValue(clock);
  container.bind(tokens.deadlines).toConstantValue(new TimerDeadlines());
  container.bind(tokens.gateMonitor).toConstantValue(new LoggingGateMonitor(logger));
  container.bind(tokens.approvedSource).toConstantValue(approved);
  container.bind(tokens.lifecycle).toConstantValue(new Lifecycle());
  container.bind(tokens.requestLog).toConstantValue(new RequestLog(logger));
  container.load(
    readersModule(readers),
    sharedModule,
    developmentModule,
    repositoriesModule,
    contentModule,
    overviewModule,
    statusModule,
    httpModule,
  );
  return container;
}
