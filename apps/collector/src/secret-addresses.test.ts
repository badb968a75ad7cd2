import { createServer, type Server, type ServerResponse } from 'node:http';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { sampled } from '@vitrine/test-support';
import { CommandLine } from '../test/support/command-line.js';

const SECRET = 's3cr3t-w0rd';

/** How a server fails, and repeats the address that it was asked for in its own words. */
const FAILURES: readonly (readonly [string, (response: ServerResponse, url: string) => void])[] = [
  ['is not found', (response, url) => response.writeHead(404, { 'content-type': 'text/plain' }).end(`${url} was not found\n`)],
  ['needs a login', (response) => response.writeHead(401, { 'www-authenticate': 'Basic realm="acme"' }).end()],
  ['is forbidden', (response, url) => response.writeHead(403, { 'content-type': 'text/plain' }).end(`no access to http://host${url}\n`)],
  ['fails', (response) => response.writeHead(500).end()],
  ['redirects to another secret address', (response) => response.writeHead(302, { location: `http://127.0.0.1:1/gone?key=${SECRET}` }).end()],
  ['redirects with a password', (response) => response.writeHead(302, { location: `http://ada:${SECRET}@127.0.0.1:1/gone` }).end()],
  ['breaks the protocol', (response) => response.socket?.destroy()],
  ['sends a document that is none', (response, url) => response.writeHead(url.includes('.git') ? 410 : 200).end(`<html>${url}</html>`)],
];

let fail: (response: ServerResponse, url: string) => void;
let server: Server;
let line: CommandLine;
beforeAll(async () => {
  server = createServer(({ url = '' }, response) => fail(response, url));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => new Promise((resolve) => server.close(resolve).closeAllConnections()));
afterEach(() => rmSync(line.folder, { recursive: true }));

/** The content of all files below the folder of the command, except the configuration. */
function files(): string {
  const names = readdirSync(line.folder, { recursive: true, encoding: 'utf8' });
  const paths = names.filter((name) => name !== 'vitrine.yaml').map((name) => join(line.folder, name));
  return paths.map((path) => (statSync(path).isFile() ? readFileSync(path, 'latin1') : '')).join('\n');
}

describe('an address with a token in its query', () => {
  it.each(sampled(FAILURES, 3))('is shown without it by collect, sources and check, and stored nowhere, if it %s', async (_, how) => {
    fail = how;
    const origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    line = new CommandLine(
      `approved: [acme/widget]
store: {path: data}
sources:
  - {git: "${origin}/acme/widget.git?token=${SECRET}", repository: acme/widget, url: "https://code.acme.example/acme/widget"}
  - {feed: "${origin}/feed.xml?token=${SECRET}", label: News, allowPrivate: true}
  - {video: "${origin}/videos.xml?token=${SECRET}#${SECRET}", label: Videos, allowPrivate: true}
`,
      {},
    );
    expect(await line.run('check')).toBe(0);
    expect(await line.run('collect')).toBe(1);
    expect(line.err.filter((text) => /^(?:git|feed|video) /.test(text))).toHaveLength(3);
    expect(await line.run('sources')).toBe(0);
    expect(line.out.filter((text) => text.includes('last failure'))).toHaveLength(3);
    expect(await line.run('sources', '--json')).toBe(0);
    expect(await line.run('export', line.path('records.ndjson'))).toBe(0);
    expect([...line.out, ...line.err].join('\n')).not.toContain(SECRET);
    expect(files()).not.toContain(SECRET);
  });
});
