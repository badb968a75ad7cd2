import { initStore, openMongoStore } from '@vitrine/adapters-mongo';
import { ConfiguredSources, Scheduler } from '@vitrine/collector';
import { loadConfig } from '@vitrine/collector';
import { describeMongo } from '@vitrine/test-support';

const clock = { now: () => Date.UTC(2026, 10, 20, 12) };
const { signal } = new AbortController();

describeMongo('two configurations that collect into one database in turn', (databases) => {
  it('keep the sync records of each other, and remove only their own', async () => {
    const db = await databases.prepared(initStore);
    const store = openMongoStore(db, { clock });
    const collect = async (file: string, services: string): Promise<readonly string[]> => {
      const config = loadConfig({ text: `approved: []\nservices: [${services}]\n`, file, env: {} });
      // The checks fail: nobody answers there.
      const sources = new ConfiguredSources(config, { folder: '.', origin: () => 'http://127.0.0.1:1' }).of(config);
      await new Scheduler({ writer: store.writer, collection: store.collection, clock, configuration: file }).runOnce(sources);
      const syncs = await store.readers.syncs.list(null, { signal });
      return syncs.flatMap(({ id, sourceType }) => (sourceType === 'probe' ? [id] : []));
    };
    const [a, b] = ['{ key: "acme:a", name: A, check: self }', '{ key: "acme:b", name: B, check: self }'];
    expect(await collect('/srv/a.yaml', a)).toEqual(['probe:acme:a']);
    for (const turn of ['/srv/b.yaml', '/srv/a.yaml'])
      expect(await collect(turn, turn.includes('b') ? b : a)).toEqual(['probe:acme:a', 'probe:acme:b']);
    expect(await collect('/srv/a.yaml', '')).toEqual(['probe:acme:b']);
  });
});
