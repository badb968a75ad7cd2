import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OutgoingResponse } from '@vitrine/collector';
import { loadConfig } from '@vitrine/collector';
import { CommandLine } from '../../test/support/command-line.js';
import { init, savedLogo } from './init.js';

const IMAGE = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
const { signal } = new AbortController();
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-logo-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A client that answers every request so. */
function answering(more: Partial<OutgoingResponse>) {
  const asked: string[] = [];
  const request = ({ url }: { readonly url: string }): Promise<OutgoingResponse> => {
    asked.push(url);
    const headers = { 'content-type': 'image/svg+xml; charset=utf-8' };
    return Promise.resolve({ status: 200, headers, url, body: IMAGE, certificateExpiresAt: null, ...more });
  };
  return { asked, request };
}

describe('savedLogo', () => {
  it('writes the image into a file whose ending says its type', async () => {
    expect(await savedLogo('https://acme.example/logo', { folder, client: answering({}), signal })).toBe('logo.svg');
    expect(readFileSync(join(folder, 'logo.svg'))).toEqual(IMAGE);
  });

  it.each([
    ['no image', { headers: { 'content-type': 'text/html' } }],
    ['nothing', { status: 404 }],
    ['an empty document', { body: Buffer.alloc(0) }],
  ])('writes nothing if the address answers with %s', async (_, answer) => {
    expect(await savedLogo('https://acme.example/logo.svg', { folder, client: answering(answer), signal })).toBeNull();
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each(['', '/logo.svg', 'file:///etc/passwd', 'https://'])('asks nobody for %j', async (address) => {
    const client = answering({});
    expect([await savedLogo(address, { folder, client, signal }), client.asked]).toEqual([null, []]);
  });

  it('replaces no file, and survives a failure of the network', async () => {
    writeFileSync(join(folder, 'logo.svg'), 'mine');
    expect(await savedLogo('https://acme.example/logo.svg', { folder, client: answering({}), signal })).toBeNull();
    expect(readFileSync(join(folder, 'logo.svg'), 'utf8')).toBe('mine');
    const client = { request: () => Promise.reject(new Error('no network')) };
    expect(await savedLogo('https://acme.example/logo.svg', { folder, client, signal })).toBeNull();
  });
});

describe('vitrine init with the file of another monitor', () => {
  it('carries its logo over', async () => {
    const line = new CommandLine('', {});
    folder = line.folder;
    rmSync(line.path('vitrine.yaml'));
    const from = line.write('config.yaml', 'ui: {logo: "https://acme.example/logo.svg"}\nendpoints: [{name: Web, url: "https://acme.example"}]\n');
    const { asked, request } = answering({});
    const warnings: string[] = [];
    const context = { ...line.context(), warn: (text: string) => warnings.push(text) };
    expect([await init({ repository: [], github: [], check: [], from }, context, { request }), warnings, asked]).toEqual([
      0,
      [],
      ['https://acme.example/logo.svg'],
    ]);
    const { site } = loadConfig({ text: readFileSync(line.path('vitrine.yaml'), 'utf8'), file: line.path('vitrine.yaml'), env: {} });
    expect(site?.logo).toBe(line.path('logo.svg'));
    expect(readFileSync(line.path('logo.svg'))).toEqual(IMAGE);
  });
});
