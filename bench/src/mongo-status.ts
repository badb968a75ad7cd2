import type { Db } from 'mongodb';
import { countDay, DAY, NOTHING_CARRIED, type Carry } from '@vitrine/core';
import { aService, NOW } from '@vitrine/core/testing';
import { createMongoWriters, ensureIndexes } from '@vitrine/adapters-mongo';
import { Collections } from '../../packages/adapters-mongo/dist/collections.js';
import { checkDocument, latestDocument } from '../../packages/adapters-mongo/dist/status/check-document.js';
import { dayDocument, hoursDocument } from '../../packages/adapters-mongo/dist/status/day-document.js';
import { StatusStore } from '../../packages/adapters-mongo/dist/status/status-store.js';
import { Commits } from '../../packages/adapters-mongo/dist/writers/commits.js';
import { DOCUMENTS } from '../../packages/adapters-mongo/dist/documents/documents.js';
import type { Figure } from './measure.js';
import { benchMongod, filled } from './mongod.js';
import { serve } from './served.js';
import { checksOfDay, HISTORY_START, historyFigures, historyKey, SERVICES } from './status-history.js';

export async function mongoStatusFigures(): Promise<readonly Figure[]> {
  const { client, uri, stop } = await benchMongod();
  try {
    const db = await filled(client, 'status_history_5', fillHistory);
    const history = {
      serve: () => serve({ store: 'mongo', uri, database: db.databaseName, approved: [] }),
      writerAt: (clock: { readonly now: () => number }) => createMongoWriters(db, { clock }).writer,
    };
    return await historyFigures(history, 'MongoDB');
  } finally {
    await stop();
  }
}

/** Inserts the checks and what is derived from them. The writer would count each day again and again, which takes hours. */
async function fillHistory(db: Db): Promise<void> {
  await ensureIndexes(db);
  const collections = new Collections(db);
  const commits = new Commits(collections, null);
  for (let service = 0; service < SERVICES; service++) {
    const key = historyKey(service);
    await collections.writable('services').insertOne(DOCUMENTS.service.toDocument(aService({ key, displayName: `Service ${String(service)}` })));
    let carry: Carry = NOTHING_CARRIED;
    for (let day = HISTORY_START; day < NOW; day += DAY) {
      const checks = checksOfDay(service, day);
      const counted = countDay({ serviceKey: key, day }, checks, carry, null);
      if (counted === null) continue;
      carry = counted;
      await Promise.all([
        collections.writable('status_checks').insertMany(checks.map(checkDocument), { ordered: false }),
        collections.writable('status_days').insertOne(dayDocument(counted)),
        collections.writable('status_hours').insertOne(hoursDocument(counted)),
      ]);
    }
    const latest = await commits.commit((transaction) => new StatusStore(transaction).foundLatestState(key, 0));
    if (latest !== null) await collections.writable('status_trails').insertOne(latestDocument(latest));
  }
}
