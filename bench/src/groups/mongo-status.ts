import type { Db } from 'mongodb';
import { countDay, DAY, NOTHING_CARRIED, type Carry } from '@vitrine/core';
import { NOW } from '@vitrine/core/testing';
import { createMongoWriters, ensureIndexes } from '@vitrine/adapters-mongo';
import { Collections } from '../../../packages/adapters-mongo/dist/collections.js';
import { checkDocument, dayDocument, hoursDocument, latestDocument } from '../../../packages/adapters-mongo/dist/status/status-documents.js';
import { StatusStore } from '../../../packages/adapters-mongo/dist/status/status-store.js';
import { Commits } from '../../../packages/adapters-mongo/dist/writers/commits.js';
import type { Figure } from '../measure.js';
import { checksOfDay, HISTORY_START, historyRows } from '../status-history.js';
import { filledDatabase, insert, serveStore, withMongod } from '../stores.js';
import { services } from '../world.js';

export function figures(): Promise<readonly Figure[]> {
  return withMongod(async (client, uri) => {
    const db = await filledDatabase(client, 'status_history_6', fillHistory);
    return historyRows('MongoDB', {
      serve: () => serveStore({ store: 'mongo', uri, database: db.databaseName, approved: [] }),
      writerAt: (clock) => createMongoWriters(db, { clock }).writer,
    });
  });
}

/** Inserts the checks and what is derived from them. The writer would count each day again and again, which takes hours. */
async function fillHistory(db: Db): Promise<void> {
  await ensureIndexes(db);
  await insert(db, services);
  const collections = new Collections(db);
  const commits = new Commits(collections, null);
  for (const [index, { key }] of services.entries()) {
    let carry: Carry = NOTHING_CARRIED;
    for (let day = HISTORY_START; day < NOW; day += DAY) {
      const checks = checksOfDay(index, day);
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
