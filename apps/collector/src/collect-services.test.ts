import { createServer, type Server } from 'node:http';
import { readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import type { Environment } from '@vitrine/config';
import { CommandLine } from '../test/support/command-line.js';

let server: Server;
let status: number;
let line: CommandLine;
beforeEach(async () => {
  status = 200;
  server = createServer((request, response) => {
    response.writeHead(request.headers.authorization === 'Bearer secret-word' ? status : 401).end('ok');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  rmSync(line.folder, { recursive: true });
  await new Promise((resolve) => server.close(resolve).closeAllConnections());
});

function configured(more: string, env: Environment = { WEB_TOKEN: 'Bearer secret-word' }): void {
  const { port } = server.address() as AddressInfo;
  line = new CommandLine(
    `approved: []
publicUrl: https://vitrine.acme.example
services:
  - key: acme:web
    name: Web
    check: http://127.0.0.1:${String(port)}/hidden-path?token=hidden-query
    allowPrivate: true
    confirmAfter: 0
    headers: { Authorization: { env: WEB_TOKEN } }
${more}`,
    env,
  );
}

async function records(): Promise<string> {
  await line.run('export', line.path('out.ndjson'));
  return readFileSync(line.path('out.ndjson'), 'utf8');
}

describe('vitrine collect with services', () => {
  it('checks each service once, and publishes nothing of a private address', async () => {
    configured('');
    expect([await line.run('collect'), line.err]).toEqual([0, []]);
    const stored = await records();
    expect(stored).toContain('"state":"operational","rawState":"http 200"');
    expect(stored).toContain('"healthUrl":"https://vitrine.acme.example/status/services/acme%3Aweb"');
    expect(stored).not.toMatch(/127\.0\.0\.1|hidden|secret-word/);
  });

  it('publishes the address that the configuration names', async () => {
    configured('    url: https://acme.example/web\n');
    await line.run('collect');
    expect(await records()).toContain('"healthUrl":"https://acme.example/web"');
  });

  it('stores an outage, which is no failure of the source', async () => {
    configured('');
    status = 503;
    expect(await line.run('collect')).toBe(0);
    expect(await records()).toContain('"state":"outage","rawState":"http 503"');
  });

  it('stores no check without the variable of a header, and check says so before', async () => {
    configured('', {});
    expect(await line.run('check')).toBe(1);
    const problem = 'acme:web needs the environment variable WEB_TOKEN, which is not set';
    expect(line.err).toEqual([`${problem}. Set it for the process that collects.`]);
    expect(line.out.at(-2)).toMatch(/^Checks http:\/\/127\.0\.0\.1:\d+\/hidden-path\?… as acme:web \(Web\) every 30 s\.$/);
    line.err.length = 0;
    expect(await line.run('collect')).toBe(1);
    expect(line.err).toEqual([`probe acme:web: ${problem}`]);
    expect(await records()).not.toContain('"kind":"check"');
  });

  it('stores no check of a private address that is not allowed', async () => {
    configured('');
    line.write('vitrine.yaml', readFileSync(line.path('vitrine.yaml'), 'utf8').replace('    allowPrivate: true\n', ''));
    expect(await line.run('collect')).toBe(1);
    expect(line.err).toEqual(['probe acme:web: acme:web is in a private network. If you trust its address, add allowPrivate: true']);
  });

  it('describes services that are checked in other ways', async () => {
    configured(
      '  - { key: "acme:db", name: Db, check: "tcp://db.acme.example:5432", interval: 1m, dependency: true }\n  - { key: "acme:dns", name: Dns, check: dns:acme.example }\n',
    );
    await line.run('check');
    expect(line.out.slice(-3, -1)).toEqual([
      'Checks db.acme.example port 5432 as acme:db (Db) every 60 s, as a dependency.',
      'Checks the name acme.example as acme:dns (Dns) every 30 s.',
    ]);
  });

  it('mentions keys that differ in their letter case only, a missing public address, and how much it has checked', async () => {
    configured('  - { key: "Acme:WEB", name: Other, check: "dns:acme.example" }\n');
    line.write('vitrine.yaml', readFileSync(line.path('vitrine.yaml'), 'utf8').replace(/publicUrl.*\n/, ''));
    expect(await line.run('check')).toBe(1);
    expect(line.err).toEqual(['The service keys acme:web and Acme:WEB differ in their letter case only. Rename one of them.']);
    expect(line.out[0]).toMatch(
      /^Serves on 127\.0\.0\.1 port 3000\. publicUrl is missing, so records, feeds and badges name http:\/\/127\.0\.0\.1:3000: write /,
    );
    expect(line.out.at(-1)).toBe('0 sources, 2 services, 1 problem.');
  });
});
