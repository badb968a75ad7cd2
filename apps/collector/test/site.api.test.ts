import { openSqliteStore } from '@vitrine/adapters-sqlite';
import { loadDemo } from '@vitrine/collector';
import { DAY } from '@vitrine/core';
import { aCommit, aRepositoryRecord, CANARY, NOW, withCanary } from '@vitrine/core/testing';
import { isTorture, itInTorture, siteLinks, siteTexts } from '@vitrine/test-support';
import { cpSync, mkdirSync, readdirSync, statSync, writeFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CommandLine } from './support/command-line.js';

/** A torture run copies the whole demo. */
const EXAMPLE = join(__dirname, `../../../examples/${isTorture ? 'demo' : 'records'}.ndjson`);
const TIME = new Date(NOW).toISOString();
const LATER = new Date(NOW + 60_000).toISOString();
const URL_BELOW = 'https://acme.example/team/status';

describe('vitrine site', () => {
  let command: CommandLine;
  let approved: readonly string[];
  /** What the first run printed. */
  let line: string;
  beforeAll(async () => {
    const demo = await loadDemo(EXAMPLE, NOW);
    approved = demo.approved.map(({ fullName }) => fullName);
    command = new CommandLine(`approved: [${approved.join(', ')}]\nstore: { path: data }\nsite: { title: Acme, logo: logo.svg }\n`, {});
    command.write('logo.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>');
    mkdirSync(command.path('data'));
    const store = await openSqliteStore({ clock: { now: () => NOW }, path: command.path('data') });
    const secrets = [aRepositoryRecord({ repositoryRef: 'acme/secret' }), aCommit({ repositoryRef: 'acme/secret', committedAt: NOW - 1 })];
    await store.writer.put([...demo.records, ...secrets.map(withCanary)], { signal: new AbortController().signal });
    await store.close();
    expect([await site('out', `${URL_BELOW}/`), command.err]).toEqual([0, []]);
    [line = ''] = command.out;
  });
  afterAll(() => {
    rmSync(command.folder, { recursive: true });
  });
  beforeEach(() => {
    for (const lines of [command.out, command.err]) lines.length = 0;
  });

  const site = (folder: string, url: string, now = TIME) => command.run('site', command.path(folder), '--url', url, '--now', now);
  const timesIn = (folder: string) =>
    new Map(
      readdirSync(command.path(folder), { recursive: true, encoding: 'utf8' }).map((name) => [
        name,
        statSync(command.path(join(folder, name))).mtimeMs,
      ]),
    );

  /** The folder of the first run, for a test that changes it. */
  const copied = (folder: string): void => cpSync(command.path('out'), command.path(folder), { recursive: true, preserveTimestamps: true });

  it('writes a site whose links all lead to a file, without records that are not approved', () => {
    const texts = siteTexts(command.path('out'));
    const { count, dead } = siteLinks(texts, URL_BELOW);
    expect(dead).toEqual([]);
    expect(count).toBeGreaterThan(isTorture ? 3_000 : 500);
    expect(line).toBe(`${command.path('out')}: ${String(texts.size)} files, ${String(texts.size)} written, 0 unchanged, 0 removed`);
    expect(texts.has('logo.svg')).toBe(true);
    expect([...texts].filter(([path, text]) => (path + text).includes(CANARY) || text.includes('acme/secret'))).toEqual([]);
  });

  it('says of repositories what was so at the time of the site', async () => {
    const before = NOW - 30 * DAY;
    expect(await site('past', URL_BELOW, new Date(before).toISOString())).toBe(0);
    const { data } = JSON.parse(siteTexts(command.path('past')).get('api/v1/repositories.json') ?? '') as {
      readonly data: readonly { readonly latestActivityAt: string | null; readonly latestRelease: unknown }[];
    };
    expect(data.map(({ latestActivityAt, latestRelease }) => [latestActivityAt, latestRelease])).toEqual(approved.map(() => [null, null]));
  });

  it('writes nothing when nothing has changed, and what has changed later', async () => {
    copied('again');
    const before = timesIn('again');
    expect(await site('again', URL_BELOW)).toBe(0);
    expect(command.out[0]).toMatch(/: \d+ files, 0 written, \d+ unchanged, 0 removed$/);
    expect(timesIn('again')).toEqual(before);
    if (!isTorture) return;
    expect(await site('again', URL_BELOW, LATER)).toBe(0);
    const later = timesIn('again');
    expect(later.get('index.html')).not.toBe(before.get('index.html'));
    expect(later.get('badges/status.svg')).toBe(before.get('badges/status.svg'));
  });

  itInTorture('removes the files of a repository that is not approved any more', async () => {
    const [first = '', ...others] = approved;
    copied('fewer');
    const all = siteTexts(command.path('fewer'));
    expect(all.has(`repositories/${first}/index.html`)).toBe(true);
    const configuration = command.write('fewer.yaml', `approved: [${others.join(', ')}]\nstore: { path: data }\n`);
    const fewer = new CommandLine('approved: []\n', { VITRINE_CONFIG: configuration });
    expect(await fewer.run('site', command.path('fewer'), '--url', URL_BELOW, '--now', TIME)).toBe(0);
    const left = siteTexts(command.path('fewer'));
    expect([...left].filter(([path, text]) => path.includes(`/${first}/`) || text.includes(first)).map(([path]) => path)).toEqual([]);
    expect(siteLinks(left, URL_BELOW).dead).toEqual([]);
    rmSync(fewer.folder, { recursive: true });
  });

  it.each([
    [['--url', 'status.example'], /Use a web address with a plain path or none/],
    [['--url', 'https://status.example/?a=b'], /Use a web address/],
    [['--url', URL_BELOW, '--now', 'yesterday'], /Use a date and time with offset/],
    [[], /required option '--url <url>' not specified/],
  ] as const)('rejects the arguments %j', async (args, problem) => {
    expect(await command.run('site', command.path('none'), ...args)).toBe(2);
    expect(command.err.join('\n')).toMatch(problem);
  });

  it('refuses a folder with other files, and a configuration without pages', async () => {
    mkdirSync(command.path('taken'));
    writeFileSync(command.path('taken/file'), '');
    expect(await site('taken', URL_BELOW)).toBe(2);
    const off = new CommandLine('approved: []\n', {
      VITRINE_CONFIG: command.write('off.yaml', 'approved: []\nstore: { path: data }\nsite: false\n'),
    });
    expect([await off.run('site', command.path('off'), '--url', URL_BELOW), off.err.join()]).toEqual([2, expect.stringContaining('site: is false')]);
    rmSync(off.folder, { recursive: true });
  });
});
