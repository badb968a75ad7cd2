import type { Db } from 'mongodb';

interface StoredCheck {
  readonly serviceKey: string;
  readonly state: string;
  readonly checkedAt: Date;
}

/** The checks of every n-th service are counted. That is enough to find a wrong figure, and fits into memory. */
const COUNTED = 33;

/** The expected values, read from the raw checks with the driver and without Vitrine. */
export class StoredChecks {
  /** The state of the newest check of each service. */
  readonly states: ReadonlyMap<string, string>;
  readonly #times: ReadonlyMap<string, Float64Array>;

  private constructor(states: ReadonlyMap<string, string>, times: ReadonlyMap<string, Float64Array>) {
    this.states = states;
    this.#times = times;
  }

  /** @param now the time of the newest check or later */
  static async of(db: Db, now: number): Promise<StoredChecks> {
    const services = await db
      .collection<{ readonly _id: string }>('services')
      .find({}, { projection: { _id: 1 } })
      .toArray();
    const checks = db.collection<StoredCheck>('status_checks');
    const lastHour = { checkedAt: { $gte: new Date(now - 3_600_000), $lte: new Date(now) } };
    const states = new Map<string, string>();
    for (const { serviceKey, state } of await checks.find(lastHour, { sort: { checkedAt: 1 } }).toArray()) states.set(serviceKey, state);
    const times = new Map<string, Float64Array>();
    for (const { _id: key } of services.filter((_, index) => index % COUNTED === 0)) times.set(key, Float64Array.from(await timesOf(db, key)).sort());
    return new StoredChecks(states, times);
  }

  isCounted(key: string): boolean {
    return this.#times.has(key);
  }

  /** The number of checks of a service from `from` to `to`, both included. */
  count(key: string, from: number, to: number): number {
    return this.#times.get(key)?.filter((time) => time >= from && time <= to).length ?? 0;
  }
}

/** The times of a service's checks. Their ids begin with its key and a space. */
async function timesOf(db: Db, key: string): Promise<readonly number[]> {
  const checks = db.collection<{ readonly _id: string; readonly checkedAt: Date }>('status_checks');
  const found = await checks.find({ _id: { $gte: `${key} `, $lt: `${key}!` } }, { projection: { checkedAt: 1 } }).toArray();
  return found.map(({ checkedAt }) => checkedAt.getTime());
}
