import type { Db } from 'mongodb';
import { countedServices, StoredChecks } from './stored-checks.js';

interface StoredCheck {
  readonly serviceKey: string;
  readonly state: string;
  readonly checkedAt: Date;
}

/**
 * The expected values of a database, read with the driver and without Vitrine.
 *
 * @param now the time of the newest check or later
 */
export async function mongoStoredChecks(db: Db, now: number): Promise<StoredChecks> {
  const services = await db
    .collection<{ readonly _id: string }>('services')
    .find({}, { projection: { _id: 1 } })
    .toArray();
  const checks = db.collection<StoredCheck>('status_checks');
  const lastHour = { checkedAt: { $gte: new Date(now - 3_600_000), $lte: new Date(now) } };
  const states = new Map<string, string>();
  for (const { serviceKey, state } of await checks.find(lastHour, { sort: { checkedAt: 1 } }).toArray()) states.set(serviceKey, state);
  const times = new Map<string, readonly number[]>();
  for (const key of countedServices(services.map(({ _id }) => _id))) times.set(key, await timesOf(db, key));
  return new StoredChecks(states, times);
}

/** The times of a service's checks. Their ids begin with its key and a space. */
async function timesOf(db: Db, key: string): Promise<readonly number[]> {
  const checks = db.collection<{ readonly _id: string; readonly checkedAt: Date }>('status_checks');
  const found = await checks.find({ _id: { $gte: `${key} `, $lt: `${key}!` } }, { projection: { checkedAt: 1 } }).toArray();
  return found.map(({ checkedAt }) => checkedAt.getTime());
}
