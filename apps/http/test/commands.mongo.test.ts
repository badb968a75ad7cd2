import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectMongo, initStore, openMongoStore, type MongoConnection } from '@vitrine/adapters-mongo';
import { aCommit, aFinding, anArticle } from '@vitrine/core/testing';
import { describeMongod, idleMachine, isTorture, sampled, until } from '@vitrine/test-support';
import { Api } from './support/api.js';
import { indexed } from './support/indexed.js';
import { NOW, smallWorld } from './support/small-world.js';

type Failure = Readonly<Record<string, unknown>>;

const SHA = '9f1c2d3e4b5a69788796a5b4c3d2e1f001122334';
/** The maximum number of commands for each way of reading. Sync records are not counted, because they are read once after each change for all requests. */
const COSTS: readonly (readonly [most: number, paths: readonly string[]])[] = [
  [2, ['/api/v1/development/commits', '/api/v1/development/commits?repository=acme/widget', `/api/v1/development/commits/${SHA}`]],
  [2, ['/api/v1/development/releases', '/api/v1/development/releases/acme%2Fwidget%40v2.1.0', '/api/v1/development/findings']],
  [2, ['/api/v1/development/findings/fnd_7k2m9q', '/api/v1/missions', '/api/v1/missions/msn_public-read-api', '/api/v1/articles']],
  [1, ['/api/v1/news', '/api/v1/news/nws_4d1x8c', '/api/v1/videos', '/api/v1/videos/vid_8c3p0z', '/api/v1/status/incidents']],
  [1, ['/api/v1/repositories', '/api/v1/repositories/acme/widget']],
  [6, ['/api/v1/repositories/acme/widget/hub']],
  [9, ['/api/v1/overview']],
  [4, ['/api/v1/status', '/api/v1/status/services/acme:widget-api']],
  [2, ['/api/v1/status/services/acme:widget-api/history']],
  [4, ['/api/v1/status/services/acme:widget-api/history?granularity=day']],
  // The third query has hits of all ten types.
  [11, ['/api/v1/search?q=commit', '/api/v1/search?q=widget%20stable', '/api/v1/search?q=widget', '/api/v1/search?q=widget&type=commit,release']],
];

const HIDDEN = 'acme/secret';
const world = [
  ...smallWorld,
  aCommit({ sha: 'f'.repeat(40), repositoryRef: HIDDEN }),
  aFinding({ id: 'fnd_hidden', repositoryRef: HIDDEN }),
  anArticle({ id: 'art_hidden', repositoryRef: HIDDEN }),
];
const ALWAYS = {
  'says that it changes its state': { errorCode: 91 },
  'cuts every connection': { closeConnection: true },
  'says that it is overloaded': { errorCode: 462, errorLabels: ['RetryableError', 'SystemOverloadedError'] },
} as const satisfies Readonly<Record<string, Failure>>;
const FAILURES = Object.entries(ALWAYS).flatMap(([what, failure]: [string, Failure]) =>
  ['/api/v1/development/commits', '/api/v1/overview'].map((path) => [what, path, failure] as const),
);
const FAIL_POINTS = ['failCommand', 'waitInFindBeforeMakingBatch'] as const;
type FailPoint = (typeof FAIL_POINTS)[number];
describeMongod('the API over a database', (mongo) => {
  let connection: MongoConnection;
  let api: Api;
  let commands: string[] = [];
  let failPoint: (name: FailPoint, setting: object) => Promise<unknown>;
  /** An API is used again as long as its database has not failed. */
  let hasFailed = true;
  let running: () => Promise<readonly unknown[]>;

  beforeAll(async () => {
    const mongod = await mongo.single(['--setParameter', 'enableTestCommands=1']);
    const admin = (await mongo.connect(mongod.uri)).db('admin');
    failPoint = (name, setting) => {
      hasFailed = true;
      return admin.command({ configureFailPoint: name, ...setting });
    };
    running = () => admin.aggregate([{ $currentOp: {} }, { $match: { appName: 'vitrine', ns: 'vitrine.news' } }]).toArray();
    connection = connectMongo({ uri: `${mongod.uri}&monitorCommands=true` });
    await connection.connected;
    await initStore(connection.db, { clock: { now: () => 0 } });
    const store = openMongoStore(connection.db, { clock: { now: () => NOW } });
    await store.writer.put(world, { signal: new AbortController().signal });
    await store.close();
    connection.db.client.on('commandStarted', ({ commandName, command }) => {
      // The stream of changes is no part of a request. It is opened again once a second while it fails.
      const sent = `${commandName} ${String(command[commandName])}`;
      if (!/^(?:aggregate 1|getMore .*|killCursors .*|find syncs)$/.test(sent)) commands.push(sent);
    });
  });
  beforeEach(async () => {
    commands = [];
    if (!hasFailed) return;
    hasFailed = false;
    api = await Api.open({
      openStore: (clock) => Promise.resolve(indexed(openMongoStore(connection.db, { clock }))),
      health: connection,
      cacheAnswers: false,
    });
    for (const path of ['/api/v1/news', '/api/v1/development/commits', '/api/v1/search?q=widget']) await api.get(path);
    commands = [];
  });
  afterEach(async () => {
    if (!hasFailed) return;
    for (const name of FAIL_POINTS) await failPoint(name, { mode: 'off' });
    await until(() =>
      connection.db.command({ ping: 1 }).then(
        () => true,
        () => false,
      ),
    );
    await Api.closeAll();
  });
  afterAll(async () => {
    await Api.closeAll();
    await connection.close();
  });

  const costOf = async (path: string): Promise<readonly string[]> => {
    commands = [];
    await api.get(path);
    return commands;
  };

  it.each(sampled(COSTS, 2))('sends at most %d commands for each of %j', async (most, paths) => {
    for (const path of paths) {
      expect((await api.get(path)).status).toBe(200);
      const cost = await costOf(path);
      expect([path, cost.length > 0 && cost.length <= most ? [] : cost]).toEqual([path, []]);
    }
  });

  it('sends no command for the name of a repository that is hidden or does not exist', async () => {
    for (const name of [HIDDEN, 'acme/nothing'])
      for (const path of [
        `/api/v1/repositories/${name}`,
        `/api/v1/repositories/${encodeURIComponent(name)}`,
        `/api/v1/repositories/${name}/hub`,
        `/api/v1/development/commits?repository=${name}`,
        `/api/v1/missions?repository=${name}`,
      ])
        expect([path, await costOf(path)]).toEqual([path, []]);
  });

  it.each([
    [`/api/v1/development/commits/${'f'.repeat(40)}`, `/api/v1/development/commits/${'e'.repeat(40)}`],
    ['/api/v1/development/findings/fnd_hidden', '/api/v1/development/findings/fnd_nothing'],
    ['/api/v1/articles/art_hidden', '/api/v1/articles/art_nothing'],
  ])('sends as many commands for %s as for something that does not exist', async (hidden, unknown) => {
    const cost = await costOf(hidden);
    expect(cost).toHaveLength(1);
    expect(await costOf(unknown)).toEqual(cost);
  });

  it.each(sampled(FAILURES, 3))('sends a server that always %s at most one retry for each command of %s', async (_what, path, failure) => {
    const whole = timesOf(await costOf(path));
    await failPoint('failCommand', { mode: 'alwaysOn', data: { failCommands: ['find', 'aggregate'], appName: 'vitrine', ...failure } });
    await costOf(path);
    // Also count commands that are retried after the response was sent.
    await sleep(300);
    const failed = timesOf(commands);
    expect(failed.size).toBeGreaterThan(0);
    for (const [command, times] of failed) expect([command, times <= 2 * (whole.get(command) ?? 0)]).toEqual([command, true]);
  });

  it('cancels queries on the server when the client has disconnected', async () => {
    await failPoint('waitInFindBeforeMakingBatch', { mode: 'alwaysOn', data: { nss: 'vitrine.news', shouldCheckForInterrupt: true } });
    const ended: number[] = [];
    const gone: number[] = [];
    for (let times = 0; times < (isTorture ? 3 : 1); times += 1) {
      const socket = connect(api.port, '127.0.0.1');
      await once(socket, 'connect');
      socket.write(`GET /api/v1/news?source=s${String(times)} HTTP/1.1\r\nHost: x\r\n\r\n`);
      await until(async () => (await running()).length > 0);
      const over = once(connection.db.client, 'commandFailed');
      const leftAt = performance.now();
      socket.destroy();
      await over;
      ended.push(performance.now() - leftAt);
      await until(async () => (await running()).length === 0);
      gone.push(performance.now() - leftAt);
    }
    // The server checks twice a second whether its client is still connected.
    expect(Math.min(...ended)).toBeLessThan(idleMachine(20));
    expect(Math.min(...gone)).toBeLessThan(idleMachine(600));
  });
});

function timesOf(commands: readonly string[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const command of commands) times.set(command, (times.get(command) ?? 0) + 1);
  return times;
}
