import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { UnavailableError } from '@vitrine/core';
import { describeMongo, describeMongod, until } from '@vitrine/test-support';
import { connectMongo, MongoStoreError, openMongoStore, toMongoStoreError } from '../src/index.js';

describeMongo('a connection', (databases) => {
  it('is ready when the database is available, and uses the name in the connection string', async () => {
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

  it('rejects at once a connection string that the driver rejects', () => {
    expect(() => connectMongo({ uri: 'mongodb://127.0.0.1/?colour=red' })).toThrow(MongoStoreError);
  });

  it.each(['a%20b', 'a.b', 'a$b', 'a/b', 'a%2Fb', 'a%5Cb', 'a"b', '%00', 'ü'.repeat(32), 'x'.repeat(64), 'admin', 'config', 'local'])(
    'rejects at once the name %s, which no database of records can have',
    (name) => {
      expect(() => connectMongo({ uri: `mongodb://ada:secret@127.0.0.1/${name}?replicaSet=rs0` })).toThrow(
        /^The connection string of MongoDB cannot be used: its path must name the database of the records, such as \/vitrine: (?!.*secret).*authSource=admin\.$/,
      );
    },
  );

  it.each(['ünï', 'x'.repeat(63), 'team-1_b'])('takes the name %s', async (name) => {
    const connection = connectMongo({ uri: `mongodb://127.0.0.1/${name}` });
    expect(connection.db.databaseName).toBe(name);
    await connection.close();
  });

  it('retries while nothing responds, reports every failure, and stops when it is closed', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    const failures: unknown[] = [];
    const connection = connectMongo({
      uri: `mongodb://127.0.0.1:${String(port)}/?serverSelectionTimeoutMS=50`,
      onFailure: (error) => failures.push(error),
    });
    await until(() => failures.length >= 2);
    expect(connection.state).toBe('connecting');
    await connection.close();
    await expect(connection.connected).rejects.toThrow();
  });

  it('lets the connection string change time limits and read preference, but not the concerns', async () => {
    const connection = connectMongo({ uri: 'mongodb://127.0.0.1/?maxPoolSize=7&readPreference=nearest&w=1&retryWrites=false' });
    const { options } = connection.db.client;
    expect([options.maxPoolSize, options.readPreference.mode, options.minPoolSize]).toEqual([7, 'nearest', 2]);
    expect([options.writeConcern?.w, options.readConcern?.level, options.retryWrites]).toEqual(['majority', 'majority', true]);
    await connection.close();
  });
});

describeMongod('a connection to a standalone server', (servers) => {
  it('is refused with the commands that make it a replica set, and its feed of changes rejects', async () => {
    const server = await servers.standalone();
    const store = openMongoStore((await servers.connect(server.uri)).db('vitrine'), { clock: Date });
    const changes = store.changeFeed.changesSince(null, { limit: 1, waitMs: 0 }, { signal: new AbortController().signal });
    await expect(changes).rejects.toThrow(UnavailableError);
    await store.close();
    const problems: unknown[] = [];
    const connection = connectMongo({ uri: server.uri, onFailure: (error) => problems.push(toMongoStoreError(error, server.address)?.message) });
    await until(() => problems.length >= 2);
    expect([connection.state, new Set(problems)]).toEqual([
      'connecting',
      new Set([
        `MongoDB at ${server.address} is a standalone server, which cannot tell of changes. Make it a replica set of one member: start mongod with --replSet rs0, then run once: mongosh --eval "rs.initiate()"`,
      ]),
    ]);
    await connection.close();
  });
});
