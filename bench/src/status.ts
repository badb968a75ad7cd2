import { DAY, FreshnessJudge, GetStatus, ServiceBoard, StatusBoard, type ServiceStatus } from '@vitrine/core';
import { aCheck, aService, NOW } from '@vitrine/core/testing';
import { openSqliteStore } from '@vitrine/adapters-sqlite';
import { clock, context, noDeadlines } from './memory-world.js';
import { atMost, percentile, timeEach, type Figure } from './measure.js';
import { mustBe } from './wrong-answer.js';

const SERVICES = 50;
const CHECKS = 13_000;
const isOutage = (index: number) => index % 997 === 3;

/** 50 services, each with 13,000 checks over 90 days. */
export async function statusFigures(): Promise<readonly Figure[]> {
  const store = await openSqliteStore({ clock, path: null });
  const { readers, writer } = store;
  const keys = Array.from({ length: SERVICES }, (_, index) => `team:service-${String(index).padStart(2, '0')}`);
  await writer.put(
    keys.map((key) => aService({ key })),
    context,
  );
  for (const key of keys) await writer.put(checksOf(key), context);
  const board = new StatusBoard({ ...readers, board: new ServiceBoard(readers.checks, { deadlines: noDeadlines }) }, noDeadlines);
  const getStatus = new GetStatus(board, new FreshnessJudge(readers.syncs, clock), clock);
  const outages = Array.from({ length: CHECKS }, (_, index) => index).filter(isOutage).length;
  const stored = keys.map((key) => ({ key, currentState: 'operational', checksTracked: CHECKS, outages, operational: CHECKS - outages }));
  const samples = await timeEach(
    300,
    async () => (await getStatus.execute({}, context)).data.services,
    (services) => {
      mustBe('status of 50 services', services.map(counted), stored);
    },
  );
  await store.close();
  return [atMost('status of 50 services with 13,000 checks each: p95', percentile(samples, 0.95), 'ms', 20)];
}

function checksOf(serviceKey: string) {
  const interval = (90 * DAY) / CHECKS;
  return Array.from({ length: CHECKS }, (_, index) =>
    aCheck({
      serviceKey,
      checkedAt: Math.round(NOW - index * interval),
      state: isOutage(index) ? 'outage' : 'operational',
      responseTimeMs: 80 + ((index * 37) % 400),
    }),
  );
}

function counted({ key, currentState, checksTracked, checks }: ServiceStatus) {
  return { key, currentState, checksTracked, outages: checks.outage, operational: checks.operational };
}
