import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isTorture, itInTorture, until } from '@vitrine/test-support';
import { ServerProcess } from './support/server-process.js';

const STEPS = isTorture ? 24 : 1;
/** In a torture run more than one batch of the writer. */
const COMMITS = isTorture ? 1_050 : 50;
const SHAS = Array.from({ length: COMMITS }, (_, serial) => String(serial).padStart(40, '0')).reverse();
const [NEWEST = ''] = SHAS;
const TIMEOUT_MS = 120_000;

const [REPOSITORY = '', COMMIT = ''] = readFileSync(join(__dirname, '../../../examples/records.ndjson'), 'utf8').split('\n');

/** The lines of a records file, in the order in which they are stored. */
function lines(): string {
  const commits = Array.from({ length: COMMITS }, (_, serial) => {
    const committedAt = new Date(Date.UTC(2026, 0, 1) + serial * 60_000).toISOString();
    return JSON.stringify({ ...JSON.parse(COMMIT), sha: String(serial).padStart(40, '0'), title: `Zebra ${String(serial)}`, committedAt });
  });
  return [REPOSITORY, ...commits, ''].join('\n');
}

/** Whether a process runs. One that has ended may wait until its parent asks for its exit code. */
function runs(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${String(pid)}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

describe('the process that collects for a server', () => {
  let folder: string;
  let config: string;
  let records: string;
  const servers: ServerProcess[] = [];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'vitrine-collector-'));
    [config, records] = [join(folder, 'vitrine.yaml'), join(folder, 'records.ndjson')];
    writeFileSync(records, lines());
    const hanging = join(folder, 'hanging');
    mkdirSync(hanging);
    execFileSync('mkfifo', [join(hanging, 'pipe.ndjson')]);
    const sources = (isTorture ? [records] : [records, hanging]).map((path) => `{ records: ${JSON.stringify(path)}, interval: 8h }`);
    writeFileSync(config, `approved: [acme/widget]\nsources: [${sources.join(', ')}]\n`);
  });
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.stop()));
    rmSync(folder, { recursive: true });
  });

  function started(...args: readonly string[]): ServerProcess {
    const server = new ServerProcess(config, '', args, [], { more: { LOG_LEVEL: isTorture ? 'warn' : 'info' } });
    servers.push(server);
    return server;
  }

  const ready = async (server: ServerProcess) => (await server.get('/readyz')).body as { readonly status: string; readonly collector?: string };
  const textOf = async (server: ServerProcess, path: string) => JSON.stringify((await server.get(path)).body);

  /** The newest commit is stored last, and search finds all words of its title. */
  async function untilCollected(server: ServerProcess): Promise<void> {
    await server.eventually('show the newest commit', async () => (await textOf(server, '/api/v1/development/commits?limit=1')).includes(NEWEST));
    await server.eventually('find it', async () => (await textOf(server, `/api/v1/search?q=zebra+${String(COMMITS - 1)}`)).includes(NEWEST));
  }

  /** Every answer of the API, page by page. */
  async function allCommits(server: ServerProcess): Promise<readonly string[]> {
    const shas: string[] = [];
    for (let cursor = ''; ;) {
      const { body } = await server.get(`/api/v1/development/commits?limit=100${cursor}`);
      const { data, meta } = body as { data: readonly { sha: string }[]; meta: { nextCursor: string | null } };
      shas.push(...data.map(({ sha }) => sha));
      if (meta.nextCursor === null) return shas;
      cursor = `&cursor=${meta.nextCursor}`;
    }
  }

  const collect = (...args: readonly string[]) => {
    const main = join(__dirname, '../../collector/dist/main.js');
    return spawnSync(process.execPath, [main, 'collect', ...args], { env: { ...process.env, VITRINE_CONFIG: config }, encoding: 'utf8' });
  };

  /** Adds a record, and runs its source with a command. */
  async function askFor(server: ServerProcess): Promise<void> {
    const name = `records ${records}`;
    appendFileSync(records, `${JSON.stringify({ ...JSON.parse(COMMIT), sha: 'f'.repeat(40), title: 'Asked for' })}\n`);
    const { status, stdout, stderr } = collect('--source', name);
    expect([status, stdout, stderr]).toEqual([0, expect.stringContaining(`${name}: 1 stored`), '']);
    expect(await textOf(server, '/api/v1/development/commits')).toContain('Asked for');
  }

  /** The moments at which a process is killed: from its start until it has collected. */
  function steps(wholeMs: number): readonly number[] {
    return Array.from({ length: STEPS }, (_, step) => (wholeMs * (step + 0.5)) / STEPS);
  }

  async function undisturbed(): Promise<{ readonly wholeMs: number; readonly commits: readonly string[] }> {
    if (!isTorture) return { wholeMs: 0, commits: SHAS };
    const startedAt = performance.now();
    const server = started();
    await untilCollected(server);
    const wholeMs = performance.now() - startedAt;
    const commits = await allCommits(server);
    await server.stop();
    rmSync(join(folder, '.vitrine'), { recursive: true });
    return { wholeMs, commits };
  }

  it(
    'is started again whenever it is killed, the server answers meanwhile, and a stop waits neither for a hanging file nor for the reader of the log',
    async () => {
      const { wholeMs, commits } = await undisturbed();
      expect(commits).toHaveLength(COMMITS);
      for (const step of steps(wholeMs)) {
        const server = started();
        await server.eventually('start a collector', () => server.collectorPid !== null);
        const first = server.collectorPid ?? 0;
        // Otherwise the server would wait for the reader of the log while a collector starts. A process that has just been forked still has the files of the server.
        await server.eventually('give the collector a standard error of its own', () => !server.sharesLog);
        await sleep(step);
        process.kill(first, 'SIGKILL');
        await server.eventually('say so', async () => (await ready(server)).collector === 'restarting');
        expect([(await ready(server)).status, (await server.get('/livez')).status]).toEqual(['degraded', 200]);
        await server.eventually('start another collector', async () => (await ready(server)).collector === 'running');
        expect([(await ready(server)).status, server.collectorPid === first]).toEqual(['ready', false]);
        await untilCollected(server);
        expect(await allCommits(server)).toEqual(commits);
        expect(server.err.match(/the collector has ended/g)).toHaveLength(1);
        expect(server.err).toContain('"reason":"SIGKILL"');
        // stopping.torture.test.ts has all that a stop must not wait for.
        if (!isTorture) {
          await server.eventually('skip the pipe', () => server.err.includes('is a pipe'));
          await server.fillLog();
        }
        // On a terminal, npm passes on the signal that the server has got already, so there are two.
        server.signal('SIGINT');
        expect(await server.stop()).toBe(0);
        rmSync(join(folder, '.vitrine'), { recursive: true });
      }
    },
    STEPS * TIMEOUT_MS,
  );

  itInTorture(
    'ends whenever its server is killed, and the next server continues on the same folder',
    async () => {
      const { wholeMs, commits } = await undisturbed();
      for (const step of steps(wholeMs)) {
        const server = started();
        await server.eventually('start a collector', () => server.collectorPid !== null);
        const collector = server.collectorPid ?? 0;
        await sleep(step);
        server.kill();
        await until(() => !runs(collector));
        const next = started();
        await untilCollected(next);
        expect(await allCommits(next)).toEqual(commits);
        expect(await next.stop()).toBe(0);
        rmSync(join(folder, '.vitrine'), { recursive: true });
      }
    },
    STEPS * TIMEOUT_MS,
  );

  itInTorture('runs a source as soon as a command asks for it, and prints what came of it', async () => {
    writeFileSync(records, `${REPOSITORY}\n`);
    const server = started();
    await server.eventually('collect', () => server.out.includes('1 stored'));
    await askFor(server);
    expect(collect('--source', 'records nothing').status).toBe(2);
    const whole = collect('--wait', '0s');
    expect([whole.status, whole.stderr]).toEqual([3, expect.stringContaining('vitrine collect --source')]);
  });

  itInTorture('ends with its server, also when both get the signal', async () => {
    const server = started();
    await untilCollected(server);
    const collector = server.collectorPid ?? 0;
    process.kill(collector, 'SIGTERM');
    expect(await server.stop()).toBe(0);
    expect(runs(collector)).toBe(false);
    expect(server.err.split('\n').filter((line) => line.includes('"level":50'))).toEqual([]);
  });

  itInTorture('only keeps search in line with the allowlist if the server does not collect, and the demo has none', async () => {
    const idle = started('--no-collect');
    await idle.eventually('start a collector', async () => (await ready(idle)).collector === 'running');
    expect(idle.out).not.toContain('stored');
    const demo = started('--demo');
    await demo.eventually('find demo data', async () => (await textOf(demo, '/api/v1/search?q=widget')).includes('"matchedFields"'));
    expect([await ready(demo), demo.collectorPid]).toEqual([{ status: 'ready' }, null]);
  });

  itInTorture('is not started by a person', () => {
    const { status, stderr } = spawnSync(process.execPath, [join(__dirname, '../dist/collector-main.js')], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([2, expect.stringContaining('npm run vitrine -- collect --watch')]);
  });
});
