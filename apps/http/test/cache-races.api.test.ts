import { openMemoryStore } from '@vitrine/adapters-memory';
import { SECOND, type Clock, type RecordStore, type StoreReaders } from '@vitrine/core';
import { NOW, someNews } from '@vitrine/core/testing';
import { Api } from './support/api.js';
import { smallWorld } from './support/small-world.js';

const context = { signal: new AbortController().signal };
const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** News that are read at once, and returned when the test says so. */
class HeldNews {
  readonly #held: (() => void)[] = [];
  isHolding = true;
  reads = 0;

  readonly over = (readers: StoreReaders): StoreReaders => ({
    ...readers,
    news: {
      byId: (id, read) => readers.news.byId(id, read),
      list: async (query, read) => {
        const page = await readers.news.list(query, read);
        this.reads += 1;
        if (this.isHolding) await new Promise<void>((resolve) => this.#held.push(resolve));
        return page;
      },
    },
  });

  async begun(count: number): Promise<void> {
    while (this.#held.length < count) await pause(1);
  }

  release(index: number): void {
    this.#held[index]?.();
  }
}

async function opened(budgetMs?: number) {
  const news = new HeldNews();
  const api = await Api.open({ records: smallWorld, readers: news.over, budgetMs });
  const write = (title: string) => api.store.writer.put([someNews({ id: 'nws_new', title, listedAt: NOW, publishedAt: NOW })], context);
  return { news, api, write };
}

afterEach(() => Api.closeAll());

describe('an answer whose computation began before a write', () => {
  it('is not kept', async () => {
    const { news, api, write } = await opened();
    const first = api.get('/api/v1/news');
    await news.begun(1);
    await write('Written');
    news.isHolding = false;
    expect((await api.get('/api/v1/news')).body).toContain('Written');
    news.release(0);
    expect((await first).body).not.toContain('Written');
    expect((await api.get('/api/v1/news')).body).toContain('Written');
  });

  it('is not kept if a later computation of the same answer was running too', async () => {
    const { news, api, write } = await opened();
    const first = api.get('/api/v1/news');
    await news.begun(1);
    // From now on, requests do not join the first computation.
    await pause(220);
    const second = api.get('/api/v1/news');
    await news.begun(2);
    await write('Written');
    news.isHolding = false;
    news.release(1);
    await second;
    news.release(0);
    expect((await first).body).not.toContain('Written');
    expect((await api.get('/api/v1/news')).body).toContain('Written');
  });

  it('is not kept if its client has left', async () => {
    const { news, api, write } = await opened();
    const leaving = new AbortController();
    const left = fetch(`http://127.0.0.1:${String(api.port)}/api/v1/news`, { signal: leaving.signal }).catch(() => null);
    await news.begun(1);
    leaving.abort();
    await left;
    await pause(20);
    await write('Written');
    news.release(0);
    await pause(20);
    expect(api.application.serving.answers.count).toBe(0);
    news.isHolding = false;
    expect((await api.get('/api/v1/news')).body).toContain('Written');
  });

  it('is not kept if its time was over', async () => {
    const { news, api, write } = await opened(50);
    expect((await api.get('/api/v1/news')).status).toBe(503);
    await write('Written');
    news.release(0);
    await pause(20);
    expect(api.application.serving.answers.count).toBe(0);
  });

  it('is not shared with a request that comes after the write', async () => {
    const { news, api, write } = await opened();
    const first = api.get('/api/v1/news');
    await news.begun(1);
    await write('Written');
    const second = api.get('/api/v1/news');
    await news.begun(2);
    expect(news.reads).toBe(2);
    news.release(0);
    news.release(1);
    expect([(await first).body.includes('Written'), (await second).body.includes('Written')]).toEqual([false, true]);
  });
});

describe('without announcements, an answer', () => {
  it('does not replace one whose computation began later', async () => {
    const news = new HeldNews();
    const api = await Api.open({ records: smallWorld, readers: news.over, openStore: silentStore });
    const first = api.get('/api/v1/news');
    await news.begun(1);
    await pause(220);
    await api.store.writer.put([someNews({ id: 'nws_new', title: 'Written', listedAt: NOW, publishedAt: NOW })], context);
    api.clock.set(NOW + SECOND);
    news.isHolding = false;
    expect((await api.get('/api/v1/news')).body).toContain('Written');
    news.release(0);
    await first;
    expect((await api.get('/api/v1/news')).body).toContain('Written');
  });
});

/** A store that does not tell what is written, as an application may have. */
async function silentStore(clock: Clock): Promise<Omit<RecordStore, 'changeFeed'>> {
  const store = await openMemoryStore({ clock });
  const { readers, writer, collection } = store;
  return { readers, writer, collection, close: () => store.close() };
}
