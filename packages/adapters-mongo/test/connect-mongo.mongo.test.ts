import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { describeMongo } from '@vitrine/test-support';
import { connectMongo, MongoStoreError } from '../src/index.js';

describeMongo('a connection', (databases) => {
  it('is ready when the database is there, and names it as the connection string does', async () => {
    const connection = connectMongo({ uri: databases.uriOf('chosen') });
    expect(connection.state).toBe('connecting');
    await connection.connected;
    expect([connection.state, connection.db.databaseName]).toEqual(['ready', 'chosen']);
    await connection.close();
  });

  it.each([
    ['mongodb://127.0.0.1', 'vitrine'],
    ['mongodb://127.0.0.1/?maxPoolSize=7', 'vitrine'],
    ['mongodb://127.0.0.1?readPreference=primary', 'vitrine'],
    ['mongodb://ada:secret@127.0.0.1,127.0.0.2/test?readPreference=primary', 'test'],
  ])('opens of %s the database %s', async (uri, name) => {
    const connection = connectMongo({ uri });
    expect(connection.db.databaseName).toBe(name);
    await connection.close();
  });

  it('refuses at once a connection string that the driver does not take', () => {
    expect(() => connectMongo({ uri: 'mongodb://127.0.0.1/?colour=red' })).toThrow(MongoStoreError);
  });

  it('keeps trying while nobody answers, tells every failure, and ends when it is closed', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    const failures: unknown[] = [];
    const connection = connectMongo({
      uri: `mongodb://127.0.0.1:${String(port)}/?serverSelectionTimeoutMS=50`,
      onFailure: (error) => failures.push(error),
    });
    while (failures.length < 2) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(connection.state).toBe('connecting');
    await connection.close();
    await expect(connection.connected).rejects.toThrow();
  });

  it('lets the connection string say how long and from whom to read, but not how safely', async () => {
    const connection = connectMongo({ uri: 'mongodb://127.0.0.1/?maxPoolSize=7&readPreference=nearest&w=1&retryWrites=false' });
    const { options } = connection.db.client;
    expect([options.maxPoolSize, options.readPreference.mode, options.minPoolSize]).toEqual([7, 'nearest', 2]);
    expect([options.writeConcern?.w, options.readConcern?.level, options.retryWrites]).toEqual(['majority', 'majority', true]);
    await connection.close();
  });
});
