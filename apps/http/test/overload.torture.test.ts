import http from 'node:http';
import { Api } from './support/api.js';
import { FaultyStore } from './support/faulty-store.js';
import { ask, openLoop, percentile99, type Heard } from './support/open-loop.js';
import { smallWorld } from './support/small-world.js';

const SECONDS = 12;
/** The guaranteed figures hold on an idle machine. */
const REACH = { share: 0.9, goodMs: 600, refusedMs: 450 };
const SLOTS = 6;
const SHARED = SLOTS - 2;
const DELAY_MS = 40;

afterEach(() => Api.closeAll());

/** The number of requests that the shared slots can serve in a second, without a queue. */
async function capacityOf(send: () => Promise<Heard>): Promise<number> {
  const startedAt = performance.now();
  let answered = 0;
  const client = async (): Promise<void> => {
    for (; performance.now() - startedAt < 1_000; answered += 1) await send();
  };
  await Promise.all(Array.from({ length: SHARED }, client));
  return (1_000 * answered) / (performance.now() - startedAt);
}

describe('three times the load that the store can serve', () => {
  it('is served as far as the store can, and the rest is rejected in time; status is not affected', async () => {
    const faulty = new FaultyStore();
    const api = await Api.open({ records: smallWorld, readers: faulty.over, storeSlots: SLOTS });
    faulty.set({ delayMs: DELAY_MS }, 'news');
    const agent = new http.Agent({ keepAlive: true, maxSockets: 2_000 });
    let serial = 0;
    const news = (): Promise<Heard> => ask(api.port, agent, `/api/v1/news?source=s${String((serial += 1))}`);
    const capacity = await capacityOf(news);
    const [heard, status] = await Promise.all([
      openLoop(3 * capacity, SECONDS, news),
      openLoop(20, SECONDS, () => ask(api.port, agent, '/api/v1/status')),
    ]);
    const drainedAt = performance.now();
    expect((await ask(api.port, agent, '/api/v1/news?source=last')).status).toBe(200);
    expect(performance.now() - drainedAt).toBeLessThan(1_000);
    agent.destroy();

    const good = heard.filter((one) => one.status === 200);
    const refused = heard.filter((one) => one.status === 503);
    process.stdout.write(
      `overload: goodput ${((100 * good.length) / SECONDS / capacity).toFixed(0)} %, p99 of 200 ${percentile99(good).toFixed(0)} ms, of 503 ${percentile99(refused).toFixed(0)} ms\n`,
    );
    expect(good.length + refused.length).toBe(heard.length);
    expect(good.length / SECONDS).toBeGreaterThan(REACH.share * capacity);
    expect(refused.length).toBeGreaterThan(heard.length / 3);
    expect(percentile99(good)).toBeLessThan(REACH.goodMs);
    expect(percentile99(refused)).toBeLessThan(REACH.refusedMs);
    expect(new Set(status.map((one) => one.status))).toEqual(new Set([200]));
    // One request at a time for each slot. Each makes a single read besides that of the shared sync records.
    expect(faulty.mostRunning).toBeLessThanOrEqual(SHARED + 8);
  });
});
