import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore, type OpenSqliteStore } from '@vitrine/adapters-sqlite';
import {
  createSources,
  exportRecords,
  importRecords,
  RecordsSource,
  Scheduler,
  type RunReport,
  type Source,
  type SourceContext,
} from '@vitrine/collector';
import { loadConfig } from '@vitrine/collector';
import { Allowlist, type RecordWriter, type Release, type StoredRecord } from '@vitrine/core';
import { TemporaryRepository } from '../../../packages/collector/test/git/temporary-repository.js';
import { aCheck, aCommit, aProvenance, aRelease, aService, someNews } from '@vitrine/core/testing';

const NOW = Date.UTC(2026, 10, 20, 12);
const clock = { now: () => NOW };
const { signal } = new AbortController();
const approved = Allowlist.of('acme/widget').approved();

describe('two sources of one repository', () => {
  let folder: string;
  let repository: TemporaryRepository;
  let store: OpenSqliteStore;
  let notes: readonly StoredRecord[];

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'vitrine-sources-'));
    repository = new TemporaryRepository(join(folder, 'widget'));
    const sha = repository.commit('one');
    git('tag', 'v1');
    store = await openSqliteStore({ clock, path: null });
    notes = [notesOf('v1'), aCommit({ sha, title: 'the forge says so', authorLogin: 'ada' })];
  });

  afterEach(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const git = (...args: readonly string[]) => repository.git(...args);

  const gitSource = (): Source => {
    const text = `approved: [acme/widget]\nsources: [{ git: "${repository.path}", repository: acme/widget, url: "https://git.example/acme/widget" }]\n`;
    const sources = createSources(loadConfig({ text, file: join(folder, 'vitrine.yaml'), env: {} }), {
      folder,
      origin: null,
      environment: { PATH: process.env['PATH'] },
    });
    const found = sources.find(({ registration }) => registration?.id === 'git:acme/widget');
    if (found === undefined) throw new Error('no git source');
    return found;
  };

  /** A forge that tells each version of what it has only once, as with conditional requests. */
  const forge = (): Source => {
    const registration = { id: 'github:acme/widget', sourceType: 'github', label: 'x', repositoryRef: 'acme/widget', feeds: ['release'] } as const;
    const told = new Set<readonly StoredRecord[]>();
    const run = async ({ writer, signal: ended }: SourceContext): Promise<RunReport> => {
      if (told.has(notes)) return { stored: 0, unchanged: 0, removed: 0, warnings: [] };
      const { stored, unchanged, refused } = await writer.put(notes, { signal: ended });
      if (refused.length === 0) told.add(notes);
      return { stored, unchanged, removed: 0, warnings: refused.map(({ reason }) => reason) };
    };
    return { id: 'github acme/widget', intervalMs: 60_000, registration, run };
  };

  const schedulerOf = (writer: RecordWriter, allowlist = approved, configuration = '/srv/a.yaml') =>
    new Scheduler({ writer, collection: store.collection, clock, approved: () => allowlist, configuration });
  const collect = (sources: readonly Source[], configuration?: string) => schedulerOf(store.writer, approved, configuration).runOnce(sources);

  const records = async (): Promise<readonly StoredRecord[]> => {
    const all: StoredRecord[] = [];
    for await (const record of store.collection.records({ signal })) if (record.kind !== 'sync') all.push(record);
    return all;
  };
  const releases = async () => (await records()).filter((record): record is Release => record.kind === 'release');
  const kinds = async () => (await records()).map(({ kind }) => kind);

  it('show the notes and the login of the forge, also when git runs again and the forge has nothing new', async () => {
    const [first, second] = [forge(), gitSource()];
    for (const sources of [[first, second], [first], [second]])
      await collect([...sources, ...[first, second].filter((one) => !sources.includes(one))]);
    repository.commit('two');
    git('tag', '--force', 'v1');
    await collect([second, first]);
    expect(await releases()).toMatchObject([{ tagName: 'v1', body: 'Notes of v1', platform: 'linux' }]);
    const logins = (await records()).flatMap((record) => (record.kind === 'commit' ? [`${record.title}: ${record.authorLogin}`] : []));
    expect(logins.sort()).toEqual(['one: ada', 'two: ']);
  });

  it('keep a release without a tag that the forge has, and remove a tag that the forge does not have', async () => {
    notes = [notesOf('v0')];
    git('tag', 'v2');
    const sources = [gitSource(), forge()];
    await collect(sources);
    expect((await releases()).map(({ tagName }) => tagName).sort()).toEqual(['v0', 'v1', 'v2']);
    git('tag', '--delete', 'v2');
    await collect(sources);
    expect((await releases()).map(({ tagName }) => tagName).sort()).toEqual(['v0', 'v1']);
  });

  it('show what git says of a release once the forge has left the configuration', async () => {
    await collect([gitSource(), forge()]);
    expect(await releases()).toMatchObject([{ body: 'Notes of v1' }]);
    await collect([gitSource()]);
    expect(await releases()).toMatchObject([{ name: 'v1', body: '', platform: null }]);
    expect((await records()).flatMap((record) => (record.kind === 'commit' ? [record.authorLogin] : []))).toEqual(['']);
  });

  it('take along what they alone brought when they leave the configuration; checks and imported records stay', async () => {
    await store.writer.put([someNews(), aService(), aCheck()], { signal });
    await collect([gitSource(), forge()]);
    await collect([forge()]);
    expect(await kinds()).toEqual(['service', 'release', 'news', 'check']);
    await collect([]);
    // Nothing ran, so nothing was registered: the next run does it.
    await collect([unregistered]);
    expect(await kinds()).toEqual(['service', 'news', 'check']);
  });

  it('complete a withdrawal that was interrupted', async () => {
    await collect([gitSource(), forge()]);
    const broken: RecordWriter = {
      put: (...args) => store.writer.put(...args),
      remove: (...args) => store.writer.remove(...args),
      withdraw: () => Promise.reject(new Error('killed')),
      moveCommits: (...args) => store.writer.moveCommits(...args),
      indexFor: (...args) => store.writer.indexFor(...args),
    };
    await schedulerOf(broken).runOnce([unregistered]);
    expect(await kinds()).toEqual(['repository', 'commit', 'release']);
    await collect([unregistered]);
    expect(await kinds()).toEqual([]);
  });

  it('keep their records while their repository is not approved, and when another configuration has them', async () => {
    const all = ['repository', 'commit', 'release'];
    await collect([gitSource()]);
    await schedulerOf(store.writer, Allowlist.of('acme/gadget').approved()).runOnce([unregistered]);
    expect(await kinds()).toEqual(all);
    await collect([gitSource()], '/srv/b.yaml');
    await collect([unregistered]);
    expect(await kinds()).toEqual(all);
    await collect([unregistered], '/srv/b.yaml');
    expect(await kinds()).toEqual([]);
  });

  it('take over what an older version has stored, and remove what git no longer has', async () => {
    await collect([gitSource()]);
    const stored = await records();
    await store.writer.withdraw('git:acme/widget', { signal });
    const sync = await store.collection.sync('git:acme/widget', { signal });
    if (sync === null) throw new Error('no sync record');
    const older = { ...sync, state: (sync.state ?? '').replace(/"shape":"[^"]*"/, '"shape":"of an older version"') };
    await store.writer.put([...stored, older, aCommit({ sha: '7'.repeat(40) }), aRelease({ tagName: 'gone' })], { signal });
    await collect([gitSource()]);
    expect(await kinds()).toEqual(['repository', 'commit', 'release']);
    await collect([unregistered]);
    expect(await kinds()).toEqual([]);
  });

  it('vouch for the lines of a records file themselves, whoever the lines name', async () => {
    const path = join(folder, 'own.ndjson');
    await store.writer.put([someNews({ id: 'a' })], { signal, source: 'feed:acme' });
    await store.writer.put([someNews({ id: 'b' })], { signal });
    await exportRecords({ file: path, collection: store.collection, signal });
    await collect([new RecordsSource({ path, approved: () => approved, intervalMs: 60_000 })]);
    await collect([unregistered]);
    expect((await records()).map((record) => ('id' in record ? record.id : record.kind))).toEqual(['a']);
  });

  it('are kept by an export and an import, so that collecting goes on in the other store', async () => {
    const [first, second] = [gitSource(), forge()];
    await collect([first, second]);
    const [file, before] = [join(folder, 'all.ndjson'), await records()];
    await exportRecords({ file, collection: store.collection, signal });
    await store.close();
    store = await openSqliteStore({ clock, path: null });
    const problems: string[] = [];
    await importRecords({ file, approved, writer: store.writer, clock, signal, onProblem: (problem) => problems.push(problem) });
    expect([problems, await records()]).toEqual([[], before]);
    git('tag', '--delete', 'v1');
    await collect([first, second]);
    expect(await releases()).toEqual([notesOf('v1')]);
    await collect([unregistered]);
    expect(await kinds()).toEqual([]);
  });
});

/** A source without a sync record, such as the services of a configuration. */
const unregistered: Source = {
  id: 'services',
  intervalMs: 60_000,
  run: () => Promise.resolve({ stored: 0, unchanged: 0, removed: 0, warnings: [] }),
};

function notesOf(tagName: string): Release {
  const sourceUrl = `https://git.example/acme/widget/releases/${tagName}`;
  return aRelease({
    tagName,
    name: `Widget ${tagName}`,
    body: `Notes of ${tagName}`,
    platform: 'linux',
    sourceUrl,
    provenance: aProvenance({ sourceUrl }),
  });
}
