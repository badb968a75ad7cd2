import { NOW, StandingClock } from '@vitrine/core/testing';
import { describeMongod } from '@vitrine/test-support';
import { createMongoReaders } from '../src/index.js';

const CONNECTIONS = 5;
const context = { signal: new AbortController().signal };

describeMongod('connections that are lost together', (mongo) => {
  it('are not tried one after the other by concurrent operations', async () => {
    const proxy = await mongo.proxy(Number(new URL((await mongo.databases()).uri).port));
    // Vitrine's client has time limits, too. Without them, an operation on a connection that is lost while it is made can wait for ever.
    const client = await mongo.connect(proxy.uri, { minPoolSize: CONNECTIONS, socketTimeoutMS: 4_000, connectTimeoutMS: 4_000 });
    const { syncs } = createMongoReaders(client.db('lost'), { clock: new StandingClock(NOW) });
    const read = () => syncs.list(null, context);
    proxy.delay(20);
    await Promise.all(Array.from({ length: CONNECTIONS }, read));
    proxy.delay(0);
    for (let times = 0; times < 3; times += 1) {
      proxy.cut();
      expect(await Promise.all([read(), read()])).toEqual([[], []]);
    }
  });
});
