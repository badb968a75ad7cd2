import { DAY } from '@vitrine/core';
import { aService, NOW } from '@vitrine/core/testing';
import { openSqliteStore } from '@vitrine/adapters-sqlite';
import { clock } from './memory-world.js';
import type { Figure } from './measure.js';
import { serve } from './served.js';
import { contextOf, filledFolder } from './sqlite-store.js';
import { checksOfDay, HISTORY_START, historyFigures, historyKey, SERVICES } from './status-history.js';

export async function sqliteStatusFigures(): Promise<readonly Figure[]> {
  const path = await filledFolder('status_2', SERVICES, fillHistory);
  let now: () => number = clock.now;
  const store = await openSqliteStore({ clock: { now: () => now() }, path });
  const history = {
    serve: () => serve({ store: 'sqlite', path, approved: [] }),
    writerAt: (time: { readonly now: () => number }) => {
      ({ now } = time);
      return store.writer;
    },
  };
  const figures = await historyFigures(history, 'SQLite');
  await store.close();
  return figures;
}

async function fillHistory(path: string): Promise<void> {
  const store = await openSqliteStore({ clock, path });
  const context = contextOf([]);
  for (let service = 0; service < SERVICES; service++) {
    await store.writer.put([aService({ key: historyKey(service), displayName: `Service ${String(service)}` })], context);
    for (let day = HISTORY_START; day < NOW; day += DAY) await store.writer.put(checksOfDay(service, day), context);
  }
  await store.close();
}
