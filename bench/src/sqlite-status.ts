import { DAY, MINUTE, startOfDay, type Check } from '@vitrine/core';
import { aService, NOW, Random } from '@vitrine/core/testing';
import { openSqliteStore } from '@vitrine/adapters-sqlite';
import { SqliteDatabase } from '../../packages/adapters-sqlite/dist/database/sqlite-database.js';
import { clock, context } from './memory-world.js';
import type { Figure } from './measure.js';
import { serve } from './served.js';
import { filledFolder } from './sqlite-store.js';
import { HISTORY_DAYS, HISTORY_SERVICES, HISTORY_SIZE, historyCheck, historyFigures, historyInterval, historyKey } from './status-history.js';
import { countedServices, StoredChecks } from './stored-checks.js';

/** Status of services with more than a year of checks: the first response of a new process, and repeated ones while checks are written. */
export async function sqliteStatusFigures(): Promise<readonly Figure[]> {
  const path = await filledFolder('status_1', HISTORY_SERVICES, fillHistory);
  const stored = storedChecks(`${path}/vitrine.db`);
  let now: () => number = clock.now;
  const store = await openSqliteStore({ clock: { now: () => now() }, path });
  const history = {
    stored,
    serve: () => serve('sqlite-server.js', [path]),
    writerAt: (time: { readonly now: () => number }) => {
      ({ now } = time);
      return store.writer;
    },
  };
  const figures = await historyFigures(history, `status over HTTP in SQLite, ${HISTORY_SIZE}`, { first: 400, repeated: 40 });
  await store.close();
  return figures;
}

async function fillHistory(path: string): Promise<void> {
  const store = await openSqliteStore({ clock, path });
  const random = new Random(13);
  for (let service = 0; service < HISTORY_SERVICES; service++) {
    const serviceKey = historyKey(service);
    await store.writer.put([aService({ key: serviceKey, displayName: `Service ${String(service)}` })], context);
    await store.writer.put(checksOf(service, random), context);
  }
  await store.close();
}

/** The checks of 400 UTC days. The last one is the present day. */
function checksOf(service: number, random: Random): readonly Check[] {
  const checks: Check[] = [];
  for (let day = startOfDay(NOW) - (HISTORY_DAYS - 1) * DAY; day < NOW; day += DAY)
    for (let at = day + random.int(MINUTE); at < Math.min(day + DAY, NOW); at += historyInterval(service))
      checks.push(historyCheck(random, historyKey(service), at));
  return checks;
}

/** The expected values, read from the table of checks. */
function storedChecks(file: string): StoredChecks {
  const database = new SqliteDatabase(file);
  const keys = database.rows('select distinct service from status_latest order by service').map(([key]) => String(key));
  const times = new Map<string, readonly number[]>();
  for (const key of countedServices(keys))
    times.set(
      key,
      database.rows('select time from status_check where service = ?', key).map(([time]) => Number(time)),
    );
  database.close();
  return new StoredChecks(new Map(), times);
}
