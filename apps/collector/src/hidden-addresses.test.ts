import { createServer, type Server } from 'node:http';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { isTorture } from '@vitrine/test-support';
import { CommandLine } from '../test/support/command-line.js';

/** An address of this machine that nothing else uses, so that every text that contains it comes from the configuration. */
const HOST = '127.83.19.7';
const NAME = 'canary-83197';

let server: Server;
let port: string;
let line: CommandLine;
beforeEach(async () => {
  server = createServer(({ url = '' }, response) => {
    if (url.startsWith('/redirect')) response.writeHead(302, { location: `http://${NAME}.invalid/` }).end();
    else response.writeHead(url.startsWith('/broken') ? 500 : 200).end(`this is ${HOST}`);
  });
  await new Promise<void>((resolve) => server.listen(0, HOST, resolve));
  port = String((server.address() as AddressInfo).port);
});
afterEach(async () => {
  rmSync(line.folder, { recursive: true });
  await new Promise((resolve) => server.close(resolve).closeAllConnections());
});

const configured = (url: string) => `approved: []
publicUrl: https://vitrine.acme.example
store: {path: data}
cache: cache
heartbeats: {port: 0}
services:
  - {key: "acme:up", name: Up, check: "http://${HOST}:${port}/${NAME}/up", allowPrivate: true, confirmAfter: 0${url}}
  - {key: "acme:broken", name: Broken, check: "http://${HOST}:${port}/broken/${NAME}", allowPrivate: true, confirmAfter: 0${url}}
  - {key: "acme:redirect", name: Redirect, check: "http://${HOST}:${port}/redirect/${NAME}", allowPrivate: true, confirmAfter: 0${url}}
  - {key: "acme:inside", name: Inside, check: "http://${HOST}:${port}/${NAME}", confirmAfter: 0${url}}
  - {key: "acme:gone", name: Gone, check: "https://${NAME}.invalid/health", confirmAfter: 0${url}}
  - {key: "acme:tcp", name: Tcp, check: "tcp://${HOST}:${port}", allowPrivate: true, confirmAfter: 0${url}}
  - {key: "acme:closed", name: Closed, check: "tcp://${NAME}.invalid:81", confirmAfter: 0${url}}
  - {key: "acme:dns", name: Dns, check: "dns:${NAME}.invalid", confirmAfter: 0${url}}
  - {key: "acme:job", name: Job, check: heartbeat, interval: 1h, token: JOB_TOKEN${url}}
`;

type Texts = readonly (readonly [name: string, text: string])[];

/** Every output of every command, and all files of the static site if it is written. */
async function everything({ withSite }: { readonly withSite: boolean }): Promise<Texts> {
  for (const lines of [line.out, line.err]) lines.length = 0;
  await line.run('collect');
  await line.run('sources');
  await line.run('sources', '--json');
  await line.run('export', line.path('records.ndjson'));
  await line.run('incident', 'list');
  if (withSite) expect(await line.run('site', line.path('site'), '--url', 'https://status.acme.example/')).toBe(0);
  const names = withSite ? readdirSync(line.path('site'), { recursive: true, encoding: 'utf8' }) : [];
  const site = names.map((name) => [name, join(line.path('site'), name)] as const).filter(([, path]) => statSync(path).isFile());
  return [
    ['output', [...line.out, ...line.err].join('\n')],
    ['records.ndjson', readFileSync(line.path('records.ndjson'), 'utf8')],
    ...site.map(([name, path]) => [name, readFileSync(path, 'utf8')] as const),
  ];
}

const leaks = (texts: Texts) => texts.filter(([, text]) => text.includes(HOST) || text.includes(NAME)).map(([name]) => name);

describe('a service with url: false', () => {
  it('has its address in no output, record or page, also if it had been published before', async () => {
    line = new CommandLine(configured(''), { JOB_TOKEN: 'x'.repeat(32) });
    const published = await everything({ withSite: isTorture });
    // Without the key, the address of a public service is published, so the test can fail.
    const pages = ['status/services/acme~gone/index.html', 'api/v1/status/services/acme~gone/history.json'];
    expect(leaks(published)).toEqual(expect.arrayContaining(['records.ndjson', ...(isTorture ? pages : [])]));
    line.write('vitrine.yaml', configured(', url: false'));
    line.clock = { now: () => Date.UTC(2026, 10, 20, 15) };
    // The pages of a site are those of a server, which `hidden-addresses.api.test.ts` visits in every run.
    const hidden = await everything({ withSite: isTorture });
    expect(hidden.length).toBeGreaterThan(isTorture ? 50 : 1);
    expect(leaks(hidden)).toEqual([]);
    const [, [, records = ''] = []] = hidden;
    expect(records).toContain('"healthUrl":"https://vitrine.acme.example/status/services/acme%3Agone"');
    expect(records.match(/"kind":"check".*"serviceKey":"acme:gone"/g)).toHaveLength(2);
  });
});
