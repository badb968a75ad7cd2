import type { MongoClient } from 'mongodb';
import { DAY } from '@vitrine/core';
import { NOW } from '@vitrine/core/testing';
import { createMongoWriters } from '@vitrine/adapters-mongo';
import type { Figure } from './measure.js';
import { fillChecks } from './mongo-checks.js';
import { mongoStoredChecks } from './mongo-stored-checks.js';
import { filled } from './mongod.js';
import { serve } from './served.js';
import { HISTORY_DAYS, HISTORY_SERVICES, HISTORY_SIZE, historyFigures, historyInterval } from './status-history.js';

/** Status of services with more than a year of checks: the first response of a new process, and repeated ones while checks are written. */
export async function statusHistoryFigures(client: MongoClient, uri: string): Promise<readonly Figure[]> {
  const db = await filled(client, 'status_history_4', (empty) =>
    fillChecks(empty, { services: HISTORY_SERVICES, lengthMs: HISTORY_DAYS * DAY, intervalOf: historyInterval, now: NOW }),
  );
  const history = {
    stored: await mongoStoredChecks(db, NOW),
    serve: () => serve('mongo-server.js', [uri, db.databaseName, '20', 'vitrine']),
    writerAt: (clock: { readonly now: () => number }) => createMongoWriters(db, { clock }).writer,
  };
  return historyFigures(history, `status over HTTP, ${HISTORY_SIZE}`, { first: 400, repeated: 40 });
}
