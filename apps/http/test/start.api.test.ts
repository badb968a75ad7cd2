import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import net from 'node:net';
import { openSqliteStore } from '@vitrine/adapters-sqlite';
import { Scheduler, type Source } from '@vitrine/collector';
import { NO_REPOSITORY } from '@vitrine/core';
import { someNews } from '@vitrine/core/testing';
import { eventually, idleMachine, itInTorture, sampled, until } from '@vitrine/test-support';
import { informationFor, start } from '../src/composition/start.js';
import { StartError } from '../src/composition/start-errors.js';
import { localCollector } from './support/local-collector.js';
import { RawClient } from './support/raw-client.js';
import { ServerProcess } from './support/server-process.js';
import { RENDERER } from './support/text-renderer.js';

const folder = mkdtempSync(join(tmpdir(), 'vitrine-start-'));
const config = join(folder, 'vitrine.yaml');
/** The time of each configuration file, so that a change of its content alone is a change. In seconds. */
const LONG_AGO = 1_700_000_000;
const logged: string[] = [];
const logs = { write: (line: string) => void logged.push(line) };
const stops = new Set<() => Promise<void>>();

/** Stops what a failed test has left running. It would watch the same file, and write to the same log. */
afterEach(async () => {
  await Promise.all([...stops].map((stop) => stop()));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

async function started(yaml: string, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
  writeFileSync(config, yaml);
  utimesSync(config, LONG_AGO, LONG_AGO);
  const lines: string[] = [];
  const all = { VITRINE_CONFIG: config, ...env };
  const started = await start({ args, env: all, pid: 1, print: (line) => lines.push(line), logs, launch: localCollector(all), texts: RENDERER });
  const stop = async (): Promise<void> => {
    if (stops.delete(stop)) await started.stop();
  };
  stops.add(stop);
  return { running: { stop }, lines, origin: /http:\S+/.exec(lines[0] ?? '')?.[0] ?? '' };
}

async function refusal(yaml: string, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Promise<StartError> {
  const outcome: unknown = await started(yaml, args, env).catch((error: unknown) => error);
  if (outcome instanceof StartError) return outcome;
  throw new Error('it started');
}

/** Replaces the configuration file by something else, until the server has seen it. */
async function replaced(make: () => unknown): Promise<void> {
  logged.length = 0;
  rmSync(config);
  make();
  await until(() => logged.some((line) => line.includes('the allowlist cannot be read')));
  rmSync(config, { recursive: true });
}

const LEAST = 'server: { port: 0 }\nstore: { path: null }\napproved: [acme/widget]\n';

describe('starting', () => {
  it('listens, prints its address, serves, and closes everything when it is stopped', async () => {
    const { running, lines, origin } = await started(`${LEAST}services: [{ key: "vitrine:self", name: Vitrine, check: self, interval: 30s }]\n`);
    expect(lines.join('\n')).toContain(`${origin}/api/v1/overview`);
    expect((await fetch(`${origin}/readyz`)).status).toBe(200);
    const status = async (): Promise<string> => (await fetch(`${origin}/api/v1/status`)).text();
    await until(async () => (await status()).includes(`"sourceUrl":"${origin}/api/v1/status"`));
    await running.stop();
    await expect(fetch(`${origin}/livez`)).rejects.toThrow();
    expect(logged.join('').match(/"msg":"stopp[a-z]+"/g)).toEqual(['"msg":"stopping"', '"msg":"stopped"']);
  });

  it('serves below the path of publicUrl, whether or not a proxy has cut it off', async () => {
    const { origin } = await started(`${LEAST}publicUrl: https://acme.example/vitrine/\n`);
    for (const path of ['', '/vitrine']) {
      const page = await (await fetch(`${origin}${path}/`, { headers: { accept: 'text/html' } })).text();
      const addresses = [...page.matchAll(/(?:href|src|action)="(\/[^"]*)"/g)].map(([, address = '']) => address);
      expect(addresses.length).toBeGreaterThan(0);
      expect(addresses.filter((address) => !/^\/vitrine(?:\/|$)/.test(address))).toEqual([]);
      const sheet = /href="([^"]+\.css)"/.exec(page)?.[1] ?? '';
      expect((await fetch(new URL(sheet, origin))).status).toBe(200);
      const index = (await (await fetch(`${origin}${path}/api/v1`)).json()) as {
        readonly data: { readonly links: readonly { readonly href: string }[] };
      };
      expect(index.data.links.filter(({ href }) => !href.startsWith('/vitrine/'))).toEqual([]);
    }
    expect((await fetch(`${origin}/vitrines`)).status).toBe(404);
  });

  it('rejects a publicUrl whose path must be encoded', async () => {
    expect((await refusal(`${LEAST}publicUrl: https://acme.example/%C3%BCber\n`)).message).toContain(
      'publicUrl: "https://acme.example/%C3%BCber" has a path that must be encoded',
    );
  });

  it.each(
    sampled<readonly [string, () => Promise<unknown>]>(
      [
        ['that a pipe had replaced for a while', () => replaced(() => execFileSync('mkfifo', [config]))],
        ['that a folder had replaced for a while', () => replaced(() => mkdirSync(config))],
        ['that keeps its length, inode and time', () => Promise.resolve()],
      ],
      2,
    ),
  )('hides a repository that is removed, within five seconds, from a file %s', async (_what, disturb) => {
    const records = join(__dirname, '..', '..', '..', 'examples', 'records.ndjson');
    const both = `${LEAST}sources: [{ records: ${JSON.stringify(records)} }]\n`;
    const { running, origin } = await started(both);
    const status = async (): Promise<number> => (await fetch(`${origin}/api/v1/repositories/acme/widget`)).status;
    await until(async () => (await status()) === 200);
    await disturb();
    writeFileSync(config, both.replace('acme/widget', 'acme/gadget'));
    utimesSync(config, LONG_AGO, LONG_AGO);
    const changedAt = performance.now();
    await until(async () => (await status()) === 404);
    expect(performance.now() - changedAt).toBeLessThan(idleMachine(5_000));
    await running.stop();
  });

  itInTorture(
    'hides everything within five seconds if the list becomes empty, even while other keys are invalid, and starts again with that list',
    async () => {
      const records = join(__dirname, '..', '..', '..', 'examples', 'records.ndjson');
      const yaml = `${LEAST}sources: [{ records: ${JSON.stringify(records)} }, { git: ".", repository: acme/widget, url: "https://acme.example/w" }]\n`;
      const empty = yaml.replace('[acme/widget]', '[]');
      const status = async (origin: string): Promise<number> => (await fetch(`${origin}/api/v1/repositories/acme/widget`)).status;
      const first = await started(yaml);
      await until(async () => (await status(first.origin)) === 200);
      const changedAt = performance.now();
      writeFileSync(config, `${empty}servises: 1\n`);
      await until(async () => (await status(first.origin)) === 404);
      expect(performance.now() - changedAt).toBeLessThan(idleMachine(5_000));
      await first.running.stop();
      logged.length = 0;
      const second = await started(empty);
      expect([await status(second.origin), (await fetch(`${second.origin}/readyz`)).status]).toEqual([404, 200]);
      const warnings = logged.map((line) => JSON.parse(line) as { warning?: string }).flatMap(({ warning }) => warning ?? []);
      expect(warnings).toEqual([expect.stringContaining('"acme/widget" is not approved, so this source is skipped')]);
      await second.running.stop();
    },
  );

  it('collects a repository that is added together with its source, and checks a service that is added, without a restart', async () => {
    const [repository, second] = [join(folder, 'gadget'), join(folder, 'second.ndjson')];
    const git = (...args: readonly string[]) =>
      execFileSync('git', ['-C', repository, '-c', 'user.name=Ada', '-c', 'user.email=a@acme.example', ...args]);
    mkdirSync(repository, { recursive: true });
    git('init', '--quiet');
    git('commit', '--quiet', '--allow-empty', '--message', 'Added while it runs');
    writeFileSync(second, '');
    const source = `{ git: ${JSON.stringify(repository)}, repository: acme/gadget, url: "https://acme.example/g" }`;
    const service = 'services: [{ key: "vitrine:self", name: Vitrine, check: self, interval: 30s }]\n';
    const { running, lines, origin } = await started(LEAST);
    const shows = async (path: string, text: string): Promise<boolean> => (await (await fetch(`${origin}/api/v1/${path}`)).text()).includes(text);
    writeFileSync(config, `${LEAST.replace(']', ', acme/gadget]')}sources: [${source}]\n${service}`);
    await until(() => shows('development/commits', 'Added while it runs'));
    await until(() => shows('status', '"operational"'));
    // The next file has a problem. The old sources continue to run, and the log reports the problem once.
    logged.length = 0;
    writeFileSync(config, `${LEAST.replace(']', ', acme/gadget]')}sources: [${source}, { records: 5 }]\n`);
    await until(() => Promise.resolve(logged.some((line) => line.includes('sources and services stay as they were'))));
    expect(await shows('status', 'vitrine:self')).toBe(true);
    // Remove a service and add a source.
    writeFileSync(config, `${LEAST}sources: [{ records: ${JSON.stringify(second)} }]\n`);
    await until(async () => !(await shows('status', 'vitrine:self')));
    await until(() => Promise.resolve(lines.some((line) => line.startsWith(`records ${second}:`))));
    await until(async () => !(await shows('development/commits', 'Added while it runs')));
    expect(logged.filter((line) => line.includes('stay as they were'))).toHaveLength(1);
    await running.stop();
  });

  it('shows what a program beside it collects, and keeps it after the next start', async () => {
    const [path, file] = [join(folder, 'beside'), join(folder, 'beside.ndjson')];
    writeFileSync(file, '');
    const yaml = `server: { port: 0 }\nstore: { path: ${JSON.stringify(path)} }\napproved: []\nsources: [{ records: ${JSON.stringify(file)} }]\n`;
    const collected = ({ lines }: { readonly lines: readonly string[] }) => until(() => lines.some((line) => line.startsWith(`records ${file}:`)));
    const titles = async (origin: string) =>
      ((await (await fetch(`${origin}/api/v1/news`)).json()) as { data: { title: string }[] }).data.map(({ title }) => title);
    const registration = { id: 'feed:Mine', sourceType: 'feed', label: 'Mine', repositoryRef: NO_REPOSITORY, feeds: ['news'] } as const;
    const mine: Source = {
      ...{ id: 'feed Mine', intervalMs: 60_000, registration },
      run: async ({ writer, signal }) => ({ ...(await writer.put([someNews()], { signal })), removed: 0, warnings: [] }),
    };
    const first = await started(yaml);
    await collected(first);
    const store = await openSqliteStore({ clock: Date, path, mustExist: true });
    const scheduler = new Scheduler({ writer: store.writer, collection: store.collection, clock: Date, configuration: 'mine' });
    expect((await scheduler.runOnce([mine]))[0]?.report?.stored).toBe(1);
    await scheduler.stop();
    await store.close();
    await until(async () => (await titles(first.origin)).length === 1);
    await first.running.stop();
    const second = await started(yaml);
    await collected(second);
    expect(await titles(second.origin)).toEqual([someNews().title]);
  });

  it('rejects a configuration that is a pipe with one line and code 2, without waiting', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    expect(await refusal(LEAST, [], { VITRINE_CONFIG: pipe })).toMatchObject({
      exitCode: 2,
      lines: [expect.stringContaining('pipe: is a pipe; write')],
    });
  });

  it.each(sampled(['', '--no-collect'], 2))(
    'says that its data folder was moved, and is not ready, but alive, until it is back (%j)',
    async (argument) => {
      logged.length = 0;
      const { running, origin } = await started(LEAST.replace('null', 'moved'), argument === '' ? [] : [argument]);
      const [place, away] = [join(folder, 'moved'), join(folder, 'away')];
      const statusOf = async (path: string): Promise<number> => (await fetch(`${origin}${path}`)).status;
      await until(async () => (await statusOf('/readyz')) === 200);
      renameSync(place, away);
      await until(async () => (await statusOf('/readyz')) === 503);
      expect(await statusOf('/livez')).toBe(200);
      await until(() => logged.some((line) => line.includes('Put them back, or restart the process')));
      renameSync(away, place);
      await until(async () => (await statusOf('/readyz')) === 200);
      await running.stop();
    },
  );

  itInTorture('continues to serve if its store cannot be written, logs it, and is degraded', async () => {
    const records = join(__dirname, '..', '..', '..', 'examples', 'records.ndjson');
    const yaml = `${LEAST.replace('null', 'data')}sources: [{ records: ${JSON.stringify(records)} }]\n`;
    const ready = async (origin: string): Promise<unknown> => ((await (await fetch(`${origin}/readyz`)).json()) as { status: unknown }).status;
    const served = async (origin: string): Promise<boolean> => (await fetch(`${origin}/api/v1/repositories/acme/widget`)).status === 200;
    const first = await started(yaml);
    await until(() => served(first.origin));
    expect(await ready(first.origin)).toBe('ready');
    await first.running.stop();
    const second = new ServerProcess(config, '');
    stops.add(async () => void (await second.stop()));
    const origin = await second.origin();
    await second.eventually('collect', () => second.out.includes(`records ${records}: 0 stored`));
    second.limitFileSize(1);
    writeFileSync(config, yaml.replace('acme/widget', 'acme/widget, acme/gadget'));
    await until(async () => (await ready(origin)) === 'degraded');
    expect((await fetch(`${origin}/readyz`)).status).toBe(200);
    expect(await served(origin)).toBe(true);
    await second.eventually('log why', () => second.err.includes('Free space on its disk'));
    expect(await second.stop()).toBe(0);
    const errors = second.err.split('\n').filter((line) => line.includes('"level":50'));
    expect(errors).toEqual([expect.stringContaining('"problem":"The data folder')]);
  });

  itInTorture('uses the port of the environment in the demo', async () => {
    const { running, lines, origin } = await started('', ['--demo'], { PORT: '0' });
    expect(lines.at(-1)).toContain('demonstration');
    await eventually(async () => {
      const { data } = (await (await fetch(`${origin}/api/v1/overview`)).json()) as { data: { partial: boolean; latestCommit: unknown } };
      expect([data.partial, data.latestCommit === null]).toEqual([false, false]);
    });
    await running.stop();
  });

  it('rejects an invalid configuration with a line for each problem and code 2', async () => {
    const { lines, exitCode } = await refusal('aproved: [acme/widget]\nserver: { port: 70000 }\n');
    expect([lines.length >= 2, exitCode, lines.every((line) => line.includes('vitrine.yaml'))]).toEqual([true, 2, true]);
  });

  it('rejects a connection string that the driver rejects, in a process, with one line and code 2', async () => {
    writeFileSync(config, 'store: mongodb\napproved: [acme/widget]\n');
    const server = new ServerProcess(config, 'mongodb://127.0.0.1:1/team?colour=red');
    expect(await server.ended()).toBe(2);
    expect(server.text).toBe('The connection string of MongoDB cannot be used: option colour is not supported.\n');
  });

  const information = [
    ['--help', /^Usage: npm start -- \[options\]\n[^]*--demo[^]*--no-collect[^]*--version[^]*--help/],
    ['-V', /^\d+\.\d+\.\d+\n?$/],
  ] as const;

  it.each(information)('has an answer to %s that needs no server', (argument, expected) => {
    expect(informationFor(['--no-collect', argument])).toMatch(expected);
  });

  for (const [argument, expected] of information)
    itInTorture(`prints ${argument} and starts nothing, with any configuration`, async () => {
      writeFileSync(config, 'nonsense');
      const server = new ServerProcess(config, '', ['--no-collect', argument]);
      expect(await server.ended()).toBe(0);
      expect([server.out, server.err]).toEqual([expect.stringMatching(expected), '']);
    });

  it('prints the version of its package', async () => {
    const { version } = JSON.parse(readFileSync(join(__dirname, '../package.json'), 'utf8')) as { version: string };
    expect(informationFor(['--version'])).toBe(version);
  });

  it.each(
    sampled(
      [
        ['as long as the configuration says', 'server: { port: 0, keepAlive: 90s }\n', 'timeout=90'],
        ['72 s by default', '', 'timeout=72'],
      ],
      2,
    ),
  )('keeps a connection open after a response for %s, and announces it', async (_what, server, expected) => {
    const { running, origin } = await started(server === '' ? LEAST : LEAST.replace('server: { port: 0 }\n', server));
    const client = await RawClient.connect(Number(new URL(origin).port));
    client.send('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n');
    await until(() => Promise.resolve(client.statuses.length === 1));
    expect(/^keep-alive: (.*)$/im.exec(client.text)?.[1]).toBe(expected);
    client.socket.destroy();
    await running.stop();
  });

  it.each(
    sampled(
      [
        ['300 requests of a client that its proxy names', 'server: { port: 0, trustProxy: 1 }\n', '"requests";r=299;t=60'],
        ['as many as the configuration says', 'server: { port: 0 }\nlimits: { requestsPerMinute: 7, loopback: true }\n', '"requests";r=6;t=60'],
        ['any number of requests from this machine', 'server: { port: 0 }\n', null],
        ['any number of requests without limits', 'server: { port: 0, trustProxy: 1 }\nlimits: false\n', null],
      ],
      4,
    ),
  )('accepts %s in a minute', async (_what, keys, expected) => {
    const { running, origin } = await started(LEAST.replace('server: { port: 0 }\n', keys));
    const response = await fetch(origin, { headers: { 'X-Forwarded-For': '203.0.113.5' } });
    // On a busy machine the answer may be late, but it is never one of the limits.
    expect([response.status === 429, response.headers.get('ratelimit')]).toEqual([false, expected]);
    await running.stop();
  });

  it('rejects an unknown argument with code 2', async () => {
    expect(await refusal(LEAST, ['--dmeo'])).toMatchObject({ exitCode: 2, lines: [expect.stringContaining('--demo')] });
  });

  it('rejects a port in use with one line and code 3', async () => {
    const other = net.createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as net.AddressInfo;
    const error = await refusal(LEAST, [], { PORT: String(port) });
    other.close();
    expect(error).toMatchObject({ exitCode: 3, lines: [expect.stringContaining(`Port ${String(port)}`)] });
  });

  it('rejects a data folder of an older version with one line that says how to move its records, and code 3', async () => {
    const path = join(folder, 'old');
    mkdirSync(path);
    writeFileSync(join(path, 'CURRENT'), 'MANIFEST-000002\n');
    const line = expect.stringMatching(
      /^The data folder .*old has the format of an older version of Vitrine\. Run "vitrine export FILE" with the version before/,
    );
    expect(await refusal(LEAST.replace('null', path))).toMatchObject({ exitCode: 3, lines: [line] });
    expect(readdirSync(path)).toEqual(['CURRENT']);
  });

  it('rejects a data folder that is not a folder with one line and code 3', async () => {
    const path = join(folder, 'file');
    writeFileSync(path, 'x');
    expect(await refusal(LEAST.replace('null', path))).toMatchObject({ exitCode: 3, lines: [expect.stringContaining(path)] });
  });
});
