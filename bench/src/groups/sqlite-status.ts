import { DAY } from '@vitrine/core';
import { NOW } from '@vitrine/core/testing';
import { openSqliteStore } from '@vitrine/adapters-sqlite';
import type { Figure } from '../measure.js';
import { checksOfDay, HISTORY_START, historyRows } from '../status-history.js';
import { clock, contextOf, filledFolder, serveStore } from '../stores.js';
import { services } from '../world.js';

export async function figures(): Promise<readonly Figure[]> {
  const path = await filledFolder('status_3', async ({ writer }) => {
    const context = contextOf([]);
    for (const [index, service] of services.entries()) {
      await writer.put([service], context);
      for (let day = HISTORY_START; day < NOW; day += DAY) await writer.put(checksOfDay(index, day), context);
    }
  });
  let { now } = clock;
  const store = await openSqliteStore({ clock: { now: () => now() }, path });
  const rows = await historyRows('SQLite', {
    serve: () => serveStore({ store: 'sqlite', path, approved: [] }),
    writerAt: (time) => {
      ({ now } = time);
      return store.writer;
    },
  });
  await store.close();
  return rows;
}
