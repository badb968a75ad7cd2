import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServerProcess } from './support/server-process.js';

const VITRINE = join(__dirname, '../../collector/dist/main.js');
const EXAMPLE = join(__dirname, '../../../examples/records.ndjson');

describe('processes that share a data folder', () => {
  let folder = '';
  let config = '';
  const servers: ServerProcess[] = [];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'vitrine-two-'));
    config = join(folder, 'vitrine.yaml');
    writeFileSync(config, 'approved: [acme/widget]\n');
  });
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.stop()));
    rmSync(folder, { recursive: true });
  });

  function started(...args: readonly string[]): ServerProcess {
    const server = new ServerProcess(config, '', args);
    servers.push(server);
    return server;
  }

  function vitrine(...args: readonly string[]): string {
    const env = { PATH: process.env['PATH'], VITRINE_CONFIG: config };
    return execFileSync(process.execPath, [VITRINE, ...args], { env, encoding: 'utf8' });
  }

  const titlesOf = (body: unknown): readonly string[] =>
    (body as { readonly data: readonly { readonly title: string }[] }).data.map(({ title }) => title);

  it('a server shows what another process imports, although it has answered the same requests before', async () => {
    const server = started();
    const shown = async () => ({
      news: titlesOf((await server.get('/api/v1/news')).body).length,
      repository: (await server.get('/api/v1/repositories/acme/widget')).status,
      status: JSON.stringify((await server.get('/api/v1/status')).body).includes('"operational"'),
    });
    expect(await shown()).toEqual({ news: 0, repository: 404, status: false });
    vitrine('import', EXAMPLE);
    // It asks for writes of other processes every 75 ms.
    const imported = { news: 1, repository: 200, status: true };
    await server.eventually('show the import', async () => JSON.stringify(await shown()) === JSON.stringify(imported));
    writeFileSync(join(folder, 'news.ndjson'), `${JSON.stringify({ kind: 'news', id: 'none', deleted: true })}\n`);
    vitrine('import', join(folder, 'news.ndjson'));
    expect(await shown()).toEqual(imported);
  });

  it('one of two servers collects, and the other continues when that one has ended', async () => {
    writeFileSync(config, `approved: [acme/widget]\nsources: [{ records: ${JSON.stringify(EXAMPLE)} }]\n`);
    const first = started();
    await first.eventually('collect', () => first.out.includes('14 stored'));
    const second = started();
    await second.eventually('wait', () => /process \d+ \(\w+\) collects into this data folder; this process serves, and waits/.test(second.out));
    expect((await second.get('/api/v1/repositories/acme/widget')).status).toBe(200);
    expect(second.out).not.toContain('0 stored');
    expect(await first.stop()).toBe(0);
    await second.eventually('collect', () => second.out.includes(`records ${EXAMPLE}: 0 stored`));
  });

  it('a server that collects nothing shows the runs of another process', async () => {
    writeFileSync(config, `approved: [acme/widget]\nsources: [{ records: ${JSON.stringify(EXAMPLE)} }]\n`);
    const server = started('--no-collect');
    expect((await server.get('/api/v1/sources')).body).toMatchObject({ data: [] });
    vitrine('collect');
    const sources = async () => ((await server.get('/api/v1/sources')).body as { readonly data: readonly { readonly id: string }[] }).data;
    await server.eventually('show the sources', async () => (await sources()).length === 3);
    const data = await sources();
    // The source of detected incidents exists as soon as checks can. The id of a records file is made of its path, so their order depends on the folder.
    expect(data).toEqual(
      expect.arrayContaining(
        [{ label: 'records' }, { id: 'records:acme-nightly' }, { id: 'incident:detected by checks' }].map((source) =>
          expect.objectContaining(source),
        ),
      ),
    );
  });
});
