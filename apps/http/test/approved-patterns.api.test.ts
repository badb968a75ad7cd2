import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore, type OpenSqliteStore } from '@vitrine/adapters-sqlite';
import { hiddenRepositorySync } from '@vitrine/collector';
import { NO_REPOSITORY, type StoredRecord, type Sync } from '@vitrine/core';
import { aCommit, aFinding, aRelease, aRepositoryRecord } from '@vitrine/core/testing';
import { idleMachine, until } from '@vitrine/test-support';
import { start, type Running } from '../src/composition/start.js';
import { localCollector } from './support/local-collector.js';
import { RENDERER } from './support/text-renderer.js';

const { signal } = new AbortController();
const WITHIN_MS = idleMachine(5_000);
const REF = 'acme/widget#1';
const ADDRESSES = [
  '/api/v1/repositories',
  '/api/v1/development/commits',
  '/api/v1/development/releases',
  '/api/v1/overview',
  '/api/v1/search?q=zebra',
  '/feeds/releases.xml',
  '/repositories',
  '/commits',
  '/sitemap.xml',
];

/** The list of acme as a collector stores it. */
function listOf(...names: readonly string[]): Sync {
  const repositories = names.map((name) => ({ name, id: '1' }));
  return {
    kind: 'sync',
    id: 'configuration:approved:github:acme',
    sourceType: 'configuration',
    label: 'acme/*',
    repositoryRef: NO_REPOSITORY,
    feeds: [],
    intervalMs: 900_000,
    firstAttemptAt: 1,
    lastAttemptAt: 1,
    lastSuccessAt: 1,
    lastFailureAt: null,
    lastFailureCode: null,
    state: JSON.stringify({ pages: [{ url: 'x', etag: null, next: null, repositories }] }),
  };
}

const RECORDS: readonly StoredRecord[] = [
  aRepositoryRecord({ repositoryRef: REF }),
  aCommit({ repositoryRef: REF, title: 'zebra' }),
  aRelease({ repositoryRef: REF, name: 'zebra' }),
  aFinding({ repositoryRef: REF, title: 'zebra' }),
];

describe('a server whose allowlist has a pattern', () => {
  let folder = '';
  let config = '';
  let server: Running;
  let origin = '';
  /** As another process has it. */
  let other: OpenSqliteStore;
  const logged: string[] = [];

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'vitrine-patterns-'));
    config = join(folder, 'vitrine.yaml');
    other = await openSqliteStore({ clock: { now: () => Date.now() }, path: join(folder, '.vitrine') });
    await other.writer.put(RECORDS, { signal });
    approve('{ github: "acme/*" }');
    logged.length = 0;
    await open('--no-collect');
  });
  afterEach(async () => {
    await server.stop();
    await other.close();
    rmSync(folder, { recursive: true });
  });

  const approve = (list: string): void => writeFileSync(config, `server: { port: 0 }\napproved: [${list}]\n`);
  const put = (...records: readonly StoredRecord[]) => other.writer.put(records, { signal });
  const said = (text: string): number => logged.filter((line) => line.includes(text)).length;

  async function open(...args: readonly string[]): Promise<void> {
    const lines: string[] = [];
    const env = { VITRINE_CONFIG: config };
    const options = { args, env, pid: 1, print: (line: string) => void lines.push(line), launch: localCollector(env), texts: RENDERER };
    server = await start({ ...options, logs: { write: (line) => void logged.push(line) } });
    origin = /http:\S+/.exec(lines[0] ?? '')?.[0] ?? '';
  }

  const text = async (path: string): Promise<string> => (await fetch(origin + path)).text();
  /** How many addresses show the repository. */
  async function shown(): Promise<number> {
    const texts = await Promise.all(ADDRESSES.map(text));
    return texts.filter((body) => /acme\/widget|zebra/i.test(body.replaceAll('q=zebra', '').replaceAll('value="zebra"', ''))).length;
  }
  async function becomes(visible: boolean): Promise<void> {
    const since = performance.now();
    const status = async (): Promise<number> => (await fetch(`${origin}/api/v1/repositories/acme/widget`)).status;
    await until(async () => (await status()) === (visible ? 200 : 404));
    expect(performance.now() - since).toBeLessThan(WITHIN_MS);
    expect((await shown()) > 0).toBe(visible);
  }

  it('shows nothing of it before the list is stored, what the list has after that, and nothing of what has left the list', async () => {
    await becomes(false);
    await put(listOf('acme/widget'));
    await becomes(true);
    // Answers are kept now.
    expect(await shown()).toBeGreaterThan(5);
    await put(listOf('acme/gadget'));
    await becomes(false);
    expect(await text('/api/v1/sources')).not.toContain('configuration');
  });

  it('obeys an exception and a pattern that leaves within five seconds, and keeps the list over a restart', async () => {
    await put(listOf('acme/widget'));
    await becomes(true);
    approve('{ github: "acme/*", except: [acme/widget] }');
    await becomes(false);
    approve('{ github: "acme/*" }');
    await becomes(true);
    approve('');
    await becomes(false);
    approve('{ github: "acme/*" }');
    await server.stop();
    await open('--no-collect');
    expect((await fetch(`${origin}/api/v1/repositories/acme/widget`)).status).toBe(200);
  });

  it('hides a repository within five seconds, also one that is named and also after a restart, and shows it again', async () => {
    await put(listOf('acme/widget'));
    await becomes(true);
    const now = { since: Date.now(), reason: 'private', at: Date.now(), intervalMs: 60_000 } as const;
    await put(hiddenRepositorySync('Acme/Widget', now), hiddenRepositorySync('zeta/secret', now));
    await becomes(false);
    // Another configuration may approve the other one. It is named nowhere.
    expect([said('HIDDEN'), said('is not hidden any more'), said('zeta')]).toEqual([1, 0, 0]);
    approve('{ name: acme/widget, id: 1 }');
    await server.stop();
    await open('--no-collect');
    expect(await shown()).toBe(0);
    await other.writer.remove([{ kind: 'sync', id: 'configuration:hidden:acme/widget' }], { signal });
    await becomes(true);
    expect(said('is not hidden any more')).toBe(1);
  });

  it('collects the list itself, and serves the last one while the forge cannot be reached', async () => {
    let isDown = false;
    const repository = { id: 1, name: 'widget', private: false, fork: false, archived: false, owner: { login: 'acme', id: 42 } };
    const forge = createServer((_, response) => {
      if (isDown) response.writeHead(503).end();
      else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify([repository]));
    });
    await new Promise<void>((resolve) => forge.listen(0, '127.0.0.1', resolve));
    await server.stop();
    const address = `http://127.0.0.1:${String((forge.address() as AddressInfo).port)}`;
    approve(`{ github: "acme/*", api: "${address}", allowPrivate: true }`);
    await open();
    await becomes(true);
    await until(() => said('acme/widget is approved by acme/* from now on') === 1);
    const { data } = (await (await fetch(`${origin}/api/v1/sources`)).json()) as { readonly data: readonly unknown[] };
    expect(data).toEqual([]);
    await server.stop();
    isDown = true;
    await open();
    await until(() => said('http 503') > 0);
    await becomes(true);
    await new Promise((resolve) => forge.close(resolve));
  });
});
