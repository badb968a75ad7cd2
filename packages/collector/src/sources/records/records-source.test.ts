import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Allowlist, SYNCED_KINDS, type ApprovedRepositories, type RepositoryRef } from '@vitrine/core';
import { aRepositoryRecord } from '@vitrine/core/testing';
import { FileAccess } from '../../files/file-access.js';
import { FakeStore } from '../../testing/fake-store.js';
import { diskAccess } from '../documents/disk-files.js';
import { RecordsSource } from './records-source.js';

const NOW = Date.UTC(2026, 10, 20, 12);
const provenance = { source: 'Acme', sourceKind: 'official-source', sourceUrl: 'https://acme.example/', confidence: 'high', isOfficialSource: true };
const mission = (id: string) =>
  JSON.stringify({
    kind: 'mission',
    id,
    repository: 'acme/widget',
    title: id,
    status: 'active',
    progress: { completed: 0, total: 0, percent: 0 },
    url: 'https://acme.example/',
    provenance,
  });

const repository = JSON.stringify({ kind: 'repository', fullName: 'acme/widget', provenance });

let folder: string;
let store: FakeStore;
let approved: ApprovedRepositories;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-'));
  store = new FakeStore();
  await store.put(['acme/widget', 'acme/widget#7'].map((repositoryRef) => aRepositoryRecord({ repositoryRef: repositoryRef as RepositoryRef })));
  approved = Allowlist.of('acme/widget').approved();
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const syncId = (): string => sourceOf().registration.id;
const sourceOf = (path = folder) => new RecordsSource({ path, approved: () => approved, intervalMs: 10_000 });

function run(path = folder, stop = new AbortController(), source = sourceOf(path), now = NOW) {
  return source.run({ writer: store, collection: store, clock: { now: () => now }, signal: stop.signal, progress: () => undefined });
}
const missions = () => store.all.filter((record) => record.kind === 'mission').map((record) => record.id);

describe('RecordsSource', () => {
  it('imports the ndjson files of a folder by name, and nothing else', async () => {
    writeFileSync(join(folder, 'b.ndjson'), `${mission('m2')}\n`);
    writeFileSync(join(folder, 'a.ndjson'), `${mission('m1')}\n`);
    writeFileSync(join(folder, 'notes.txt'), 'nothing');
    mkdirSync(join(folder, 'sub.ndjson'));
    expect(await run()).toEqual({ stored: 2, unchanged: 0, removed: 0, skipped: 0, warnings: [] });
    expect(missions()).toEqual(['m1', 'm2']);
  });

  it('does not read a file again until its size or time changes', async () => {
    const file = join(folder, 'a.ndjson');
    writeFileSync(file, `${mission('m1')}\n`);
    await run();
    expect(await run()).toMatchObject({ stored: 0, unchanged: 0 });
    appendFileSync(file, `${mission('m2')}\n`);
    expect(await run()).toMatchObject({ stored: 1, unchanged: 1 });
    utimesSync(file, 4_000_000_000, 4_000_000_000);
    expect(await run()).toMatchObject({ stored: 0, unchanged: 2 });
  });

  it('waits for the end of a last line that is still being written', async () => {
    const file = join(folder, 'a.ndjson');
    writeFileSync(file, `${mission('m1')}\n${mission('m2').slice(0, 40)}`);
    expect(await run(file)).toMatchObject({ stored: 1, warnings: [] });
    writeFileSync(file, `${mission('m1')}\n${mission('m2')}`);
    expect(await run(file)).toMatchObject({ stored: 1, warnings: [] });
    expect(missions()).toEqual(['m1', 'm2']);
  });

  it('reports invalid lines as warnings, shortened if there are many', async () => {
    writeFileSync(join(folder, 'a.ndjson'), `nonsense\n${mission('m1')}\n${'{}\n'.repeat(500)}`);
    const { stored, warnings } = await run();
    expect(stored).toBe(1);
    expect(warnings[0]).toMatch(/a\.ndjson:1: the line is not JSON/);
    expect(warnings).toHaveLength(101);
    expect(warnings.at(-1)).toBe('… and 401 more');
  });

  it('says its warnings while a file stays as it is, and none once it has changed or is gone', async () => {
    const source = sourceOf();
    const [bad, worse] = [join(folder, 'a.ndjson'), join(folder, 'b.ndjson')];
    writeFileSync(bad, 'nonsense\n');
    writeFileSync(worse, '{}\n'.repeat(300));
    const { warnings } = await run(folder, undefined, source);
    expect(warnings).toHaveLength(101);
    for (let again = 0; again < 2; again++) expect(await run(folder, undefined, source)).toMatchObject({ warnings });
    rmSync(worse);
    expect(await run(folder, undefined, source)).toMatchObject({ warnings: [expect.stringContaining('a.ndjson:1')] });
    writeFileSync(bad, `${mission('m1')}\n`);
    expect(await run(folder, undefined, source)).toMatchObject({ warnings: [] });
  });

  it('reads a file with problems again if the run that read it could not be completed', async () => {
    const source = sourceOf();
    writeFileSync(join(folder, 'a.ndjson'), `${mission('m1')}\n`);
    await run(folder, undefined, source);
    writeFileSync(join(folder, 'a.ndjson'), `nonsense\n${repository}\n`);
    const put = jest.spyOn(store, 'put').mockImplementation((records) => {
      if (records.some(({ kind }) => kind === 'sync')) throw new Error('the disk is full');
      return FakeStore.prototype.put.call(store, records);
    });
    await expect(run(folder, undefined, source)).rejects.toThrow('the disk is full');
    put.mockRestore();
    expect(await run(folder, undefined, source)).toMatchObject({ warnings: [expect.stringContaining('a.ndjson:1')] });
    expect(await store.sync(syncId())).toMatchObject({ feeds: ['repository', 'mission'] });
  });

  it('reads and reports a file with problems again in a new process, which may know more fields', async () => {
    writeFileSync(join(folder, 'bad.ndjson'), `${mission('m1')}\nnonsense\n`);
    writeFileSync(join(folder, 'good.ndjson'), `${mission('m2')}\n`);
    const { warnings } = await run();
    expect(warnings).toHaveLength(1);
    expect(await run()).toMatchObject({ stored: 0, unchanged: 1, warnings });
  });

  it('names repositories that have records but no repository record, in each process, until any file has one', async () => {
    store = new FakeStore();
    const source = sourceOf();
    writeFileSync(join(folder, 'a.ndjson'), `${mission('m1')}\n${mission('m2')}\n`);
    const warnings = [expect.stringMatching(/^acme\/widget has records, but no repository record/)];
    for (const one of [source, source, sourceOf()]) expect(await run(folder, undefined, one)).toMatchObject({ warnings });
    writeFileSync(join(folder, 'b.ndjson'), `${repository}\n`);
    expect(await run(folder, undefined, source)).toMatchObject({ stored: 1, unchanged: 0, warnings: [] });
  });

  it('names no repository whose record is in a later file of the folder, nor one that a file no longer has records of', async () => {
    store = new FakeStore();
    writeFileSync(join(folder, 'a.ndjson'), `${mission('m1')}\n`);
    writeFileSync(join(folder, 'b.ndjson'), `${repository}\n`);
    expect(await run()).toMatchObject({ stored: 2, warnings: [] });
    store = new FakeStore();
    rmSync(join(folder, 'b.ndjson'));
    expect(await run()).toMatchObject({ warnings: [expect.any(String)] });
    writeFileSync(join(folder, 'a.ndjson'), '{"kind":"mission","id":"m1","repository":"acme/widget","deleted":true}\n');
    expect(await run()).toMatchObject({ removed: 1, warnings: [] });
  });

  it('reports the kinds that it feeds, also if they are no longer in the file', async () => {
    const file = join(folder, 'a.ndjson');
    writeFileSync(file, `${mission('m1')}\n`);
    await run();
    writeFileSync(file, '{"kind":"news","id":"n1","deleted":true}\n');
    await run();
    expect(await store.sync(syncId())).toMatchObject({
      feeds: ['mission', 'news'],
      lastSuccessAt: NOW,
      intervalMs: 10_000,
      repositoryRef: '-',
    });
  });

  it('does not change what the collector remembers about its configuration, by which it withdraws sources', async () => {
    const id = 'configuration:sources';
    const sync = { kind: 'sync', id, sourceType: 'configuration', label: 'x', intervalMs: 60_000, lastSuccessAt: null, state: '{}' };
    writeFileSync(join(folder, 'a.ndjson'), `${JSON.stringify(sync)}\n${mission('m1')}\n{"kind":"sync","id":"${id}","deleted":true}\n`);
    const { stored, removed, warnings } = await run();
    expect([stored, removed, warnings]).toEqual([
      1,
      0,
      [expect.stringContaining('a.ndjson:1: the line is about the configuration'), expect.stringContaining('a.ndjson:3: the line is about')],
    ]);
    expect(await store.sync(id)).toBeNull();
  });

  it('imports everything again if the allowlist pins another id', async () => {
    writeFileSync(join(folder, 'a.ndjson'), `${mission('m1')}\n`);
    await run();
    approved = new Allowlist([{ fullName: 'acme/widget', owner: 'acme', name: 'widget', forgeId: '7' }]).approved();
    expect(await run()).toMatchObject({ stored: 1 });
    expect(store.all).toContainEqual(expect.objectContaining({ id: 'm1', repositoryRef: 'acme/widget#7' }));
  });

  it('skips records of repositories that are not approved, and stores them after an approval', async () => {
    writeFileSync(join(folder, 'a.ndjson'), `${mission('m1')}\n`);
    approved = Allowlist.of('acme/other').approved();
    expect(await run()).toMatchObject({ stored: 0, skipped: 1, warnings: [] });
    expect(await store.sync(syncId())).toMatchObject({ feeds: [] });
    approved = Allowlist.of('acme/widget').approved();
    expect(await run()).toMatchObject({ stored: 1, skipped: 0 });
    expect(missions()).toEqual(['m1']);
  });

  it('feeds all kinds until its first run, and then no kinds that only unapproved repositories have', async () => {
    const file = join(folder, 'a.ndjson');
    expect(sourceOf().registration.feeds).toEqual(SYNCED_KINDS);
    writeFileSync(file, `${mission('m1')}\n`);
    await run();
    expect(await store.sync(syncId())).toMatchObject({ feeds: ['mission'] });
    approved = Allowlist.of('acme/other').approved();
    await run();
    expect(await store.sync(syncId())).toMatchObject({ feeds: [] });
    writeFileSync(file, '{"kind":"finding","id":"f1","repository":"acme/widget","deleted":true}\n');
    await run();
    expect(await store.sync(syncId())).toMatchObject({ feeds: [] });
  });

  it('skips records of a repository that is removed from the list during the run', async () => {
    writeFileSync(join(folder, 'a.ndjson'), `${mission('m1')}\n`);
    const lists = [approved, Allowlist.of('acme/other').approved()];
    const source = new RecordsSource({ path: folder, approved: () => lists.shift() ?? Allowlist.of().approved(), intervalMs: 10_000 });
    const { signal } = new AbortController();
    const report = await source.run({ writer: store, collection: store, clock: { now: () => NOW }, signal, progress: () => undefined });
    expect([report, missions()]).toMatchObject([{ stored: 0, skipped: 1 }, []]);
  });

  it('gives lines without times those of their file, so that a second import changes nothing', async () => {
    const file = join(folder, 'a.ndjson');
    writeFileSync(file, `${mission('m1')}\n`);
    utimesSync(file, 1_700_000_000, 1_700_000_000);
    await run();
    expect(store.all).toContainEqual(expect.objectContaining({ id: 'm1', createdAt: 1_700_000_000_000 }));
    await store.remove([{ kind: 'sync', id: syncId() }]);
    expect(await run()).toMatchObject({ stored: 0, unchanged: 1 });
    utimesSync(file, 4_000_000_000, 4_000_000_000);
    await run();
    expect(store.all).toContainEqual(expect.objectContaining({ id: 'm1', createdAt: NOW }));
  });

  it('fails if there is no such file, and if it is aborted', async () => {
    await expect(run(join(folder, 'missing.ndjson'))).rejects.toThrow('missing.ndjson does not exist; create it, or correct the path');
    writeFileSync(join(folder, 'a.ndjson'), `${mission('m1')}\n`);
    const stop = new AbortController();
    stop.abort();
    await expect(run(folder, stop)).rejects.toThrow();
    expect(missions()).toEqual([]);
  });

  it('detects a change that keeps length, inode and modification time', async () => {
    const file = join(folder, 'a.ndjson');
    writeFileSync(file, `${mission('m1')}\n`);
    utimesSync(file, 1_700_000_000, 1_700_000_000);
    const before = statSync(file);
    await run();
    writeFileSync(file, `${mission('m2')}\n`);
    utimesSync(file, 1_700_000_000, 1_700_000_000);
    const after = statSync(file);
    expect([after.size, after.ino, after.mtimeMs]).toEqual([before.size, before.ino, before.mtimeMs]);
    await run();
    expect(missions()).toEqual(['m1', 'm2']);
  });

  it('imports a file again that changed so recently that its next change may look the same', async () => {
    const file = join(folder, 'a.ndjson');
    writeFileSync(file, `${mission('m1')}\n`);
    const { ctimeMs } = statSync(file);
    const at = (milliseconds: number) => run(folder, undefined, undefined, Math.floor(ctimeMs) + milliseconds);
    expect(await at(1_000)).toMatchObject({ stored: 1 });
    expect(await at(5_000)).toMatchObject({ stored: 0, unchanged: 1 });
    expect(await at(9_000)).toMatchObject({ stored: 0, unchanged: 0 });
  });
});

const ODD_ENTRIES: Readonly<Record<string, readonly [make: (path: string) => unknown, problem: RegExp]>> = {
  'a link to nothing': [(path) => symlinkSync('nowhere', path), /b\.ndjson is a link to a file that does not exist; remove the link/],
  'a link to itself': [(path) => symlinkSync('b.ndjson', path), /b\.ndjson is a link that leads back to itself; remove the link/],
  'a link to a folder': [(path) => symlinkSync('.', path), /b\.ndjson is a folder; name a file/],
  'a link to a device': [(path) => symlinkSync('/dev/zero', path), /b\.ndjson is a device; put a regular file there/],
  'a pipe': [(path) => execFileSync('mkfifo', [path]), /b\.ndjson is a pipe; put a regular file there/],
};

describe('a folder of records files', () => {
  it.each(Object.entries(ODD_ENTRIES))('is imported except %s, which is reported', async (_name, [make, problem]) => {
    for (const name of ['a', 'c']) writeFileSync(join(folder, `${name}.ndjson`), `${mission(name)}\n`);
    make(join(folder, 'b.ndjson'));
    const source = sourceOf();
    expect(await run(folder, undefined, source)).toEqual({
      stored: 2,
      unchanged: 0,
      removed: 0,
      skipped: 0,
      warnings: [expect.stringMatching(problem)],
    });
    expect(missions()).toEqual(['a', 'c']);
    const warnings = [expect.stringMatching(problem)];
    expect(await run(folder, undefined, source)).toEqual({ stored: 0, unchanged: 0, removed: 0, skipped: 0, warnings });
    rmSync(join(folder, 'b.ndjson'));
    writeFileSync(join(folder, 'b.ndjson'), `${mission('b')}\n`);
    const report = await run(folder, undefined, source);
    expect(report).toMatchObject({ stored: 1, warnings: [] });
    expect(await run(folder, undefined, source)).toMatchObject({ unchanged: 0 });
  });

  it.each(['by ada@example.org.ndjson', 'ada%40example.org\n.ndjson'])('names no address of its files in a warning: %j', async (name) => {
    writeFileSync(join(folder, name), '{}\n');
    mkdirSync(join(folder, 'inner'));
    symlinkSync('inner', join(folder, `link to ${name}`));
    symlinkSync('nowhere', join(folder, `nothing at ${name}`));
    const { warnings } = await run();
    expect(warnings).toHaveLength(3);
    for (const warning of warnings) {
      expect(warning).toContain(folder);
      expect(warning).not.toMatch(/example|\n/);
    }
  });

  it('keeps the state of a file that can no longer be read', async () => {
    const [file, aside] = [join(folder, 'a.ndjson'), join(folder, 'aside')];
    writeFileSync(file, `${mission('m1')}\n`);
    await run();
    const filesNow = async () => (JSON.parse((await store.sync(syncId()))?.state ?? '') as { files: unknown }).files;
    const remembered = await filesNow();
    renameSync(file, aside);
    execFileSync('mkfifo', [file]);
    await run();
    expect(await filesNow()).toEqual(remembered);
    rmSync(file);
    await run();
    expect(await filesNow()).toEqual({});
  });

  it('is imported except a file that hangs, and a stop does not wait for it', async () => {
    for (const name of ['a', 'b', 'c']) writeFileSync(join(folder, `${name}.ndjson`), `${mission(name)}\n`);
    const { run: read } = diskAccess;
    const hangs = (patienceMs: number) => {
      const hanging = new HangingAccess('b.ndjson', patienceMs);
      diskAccess.run = hanging.run.bind(hanging);
    };
    hangs(50);
    expect(await run()).toMatchObject({
      stored: 2,
      warnings: [expect.stringMatching(/b\.ndjson did not answer within/)],
    });
    const stop = new AbortController();
    hangs(60_000);
    const stopped = run(folder, stop);
    setTimeout(() => stop.abort(new Error('stopped')), 20);
    await expect(stopped).rejects.toThrow('stopped');
    diskAccess.run = read;
  });
});

/** A file system on which one file hangs. */
class HangingAccess extends FileAccess {
  constructor(
    readonly name: string,
    patienceMs: number,
  ) {
    super({ patienceMs });
  }

  override run<Result>(path: string, signal: AbortSignal, operation: () => Promise<Result>, discard?: (late: Result) => void): Promise<Result> {
    return super.run(path, signal, path.endsWith(this.name) ? () => new Promise<Result>(() => undefined) : operation, discard);
  }
}
