import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openMongoStore } from '@vitrine/adapters-mongo';
import { someNews } from '@vitrine/core/testing';
import { describeMongod, type GuardedServer, idleMachine } from '@vitrine/test-support';
import { ServerProcess } from './support/server-process.js';

const RECORDS = join(__dirname, '..', '..', '..', 'examples', 'records.ndjson');
const COMMITS = '/api/v1/development/commits';

const folder = mkdtempSync(join(tmpdir(), 'vitrine-mongo-'));
const configuration = join(folder, 'vitrine.yaml');
writeFileSync(configuration, `store: mongodb\napproved: [acme/widget]\nsources:\n  - records: ${JSON.stringify(RECORDS)}\n`);

let processes: ServerProcess[] = [];
afterEach(async () => {
  await Promise.all(processes.map((server) => server.stop()));
  processes = [];
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

function started(uri: string, ...args: readonly string[]): ServerProcess {
  const server = new ServerProcess(configuration, uri, args);
  processes.push(server);
  return server;
}

const isReady = (server: ServerProcess) => async () => (await server.get('/readyz')).status === 200;
const hasCollected = (server: ServerProcess) => () => / stored, \d+ unchanged, /.test(server.out.split('records /')[1] ?? '');

describeMongod('the server with MongoDB', (servers) => {
  let guarded: GuardedServer;
  beforeAll(async () => {
    guarded = await servers.guarded('team');
  });

  it('listens before the database is available, reports it, and serves as soon as it is', async () => {
    await guarded.process.kill();
    const server = started(guarded.reader, '--no-collect');
    expect((await server.get('/livez')).status).toBe(200);
    expect((await server.get('/readyz')).status).toBe(503);
    expect(await server.get(COMMITS)).toMatchObject({ status: 503, body: { code: 'SOURCE_UNAVAILABLE' } });
    expect((await server.get('/api/v1/overview')).status).toBe(200);
    await server.eventually('log it', () => server.err.includes('cannot be reached'));
    await guarded.process.restart();
    await server.eventually('get ready', isReady(server));
    expect(await server.get(COMMITS)).toMatchObject({ status: 200, body: { data: [] } });
    await server.eventually('name what is missing', () => server.err.includes('npm run vitrine -- store init'));
    expect(server.err.split('the database lacks indexes, so the lists that need them fail with 503')).toHaveLength(2);
    expect(await server.stop()).toBe(0);
    expect(server.text).not.toContain(/:([^:@]*)@/.exec(guarded.reader)?.[1]);
  });

  it('collects in one process, serves from another whose user may only read, and passes the lease on', async () => {
    const first = started(guarded.writer);
    await first.eventually('collect', hasCollected(first));
    const second = started(guarded.writer);
    await second.eventually('wait', () => second.out.includes('waits for its turn'));
    const reader = started(guarded.reader, '--no-collect');
    await reader.eventually('get ready', isReady(reader));
    for (const server of [first, second, reader]) {
      expect(await server.get(COMMITS)).toMatchObject({ status: 200, body: { data: [{ repository: { fullName: 'acme/widget' } }] } });
      expect(await server.get('/api/v1/repositories/acme/widget/hub')).toMatchObject({ status: 200, body: { data: { partial: false } } });
    }
    // What only reads follows the writes of the others. Without that, the answer would stay for as long as its max-age says.
    const news = JSON.stringify((await reader.get('/api/v1/news')).body);
    expect(news).not.toContain('Written elsewhere');
    const client = await servers.connect(guarded.writer);
    const store = openMongoStore(client.db(), { clock: { now: () => Date.now() } });
    await store.writer.put([someNews({ title: 'Written elsewhere' })], { signal: new AbortController().signal });
    const writtenAt = performance.now();
    await reader.eventually('show it', async () => JSON.stringify((await reader.get('/api/v1/news')).body).includes('Written elsewhere'));
    expect(performance.now() - writtenAt).toBeLessThan(idleMachine(1_000));
    await reader.eventually('find it', async () =>
      JSON.stringify((await reader.get('/api/v1/search?q=elsewhere')).body).includes('Written elsewhere'),
    );
    expect(performance.now() - writtenAt).toBeLessThan(idleMachine(2_000));
    await store.close();
    expect(reader.err).not.toContain('lacks indexes');
    expect(second.out).not.toContain(' stored, ');
    expect(await first.stop()).toBe(0);
    await second.eventually('take over', hasCollected(second));
    expect(second.out.split('waits for its turn')).toHaveLength(2);
    expect(await reader.stop()).toBe(0);
  });

  // The lease of a server lasts half a minute, so only a torture run waits for its end.
  it('continues to serve, and stops collecting, if it was paused for longer than its lease', async () => {
    const first = started(guarded.writer);
    await first.eventually('collect', hasCollected(first));
    // The collector holds the lease. Alone, it would go on without its server.
    const collector = first.collectorPid;
    if (collector === null) throw new Error('the server has no collector');
    const both = (signal: NodeJS.Signals) => {
      process.kill(collector, signal);
      first.signal(signal);
    };
    both('SIGSTOP');
    const second = started(guarded.writer);
    await second.eventually('wait', () => second.out.includes('waits for its turn'));
    await sleep(31_000);
    await second.eventually('take over', hasCollected(second));
    both('SIGCONT');
    await first.eventually('notice', () => first.err.includes('the right to write was lost'));
    await first.eventually('wait', () => first.out.includes('waits for its turn'));
    expect(await first.get(COMMITS)).toMatchObject({ status: 200, body: { data: [{ repository: { fullName: 'acme/widget' } }] } });
    expect(await second.stop()).toBe(0);
    expect(await first.stop()).toBe(0);
  });

  it('serves and logs once why it cannot collect if its user may only read', async () => {
    const server = started(guarded.reader);
    await server.eventually('say so', () => server.err.includes('nothing can be collected; --no-collect serves only'));
    expect(server.err).toContain('The user needs the role read to serve and export');
    await server.eventually('be ready', isReady(server));
    expect(await server.stop()).toBe(0);
  });

  it('continues to serve and logs an error if the password is wrong', async () => {
    const server = started(guarded.reader.replace(/:[^:@]*@/, ':secret@'), '--no-collect');
    await server.eventually('log it', () => server.err.includes('does not take this user with this password'));
    expect((await server.get('/readyz')).status).toBe(503);
    expect(server.text).not.toContain('secret');
  });
});
