import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeMongo, describeMongod, emptied, isTorture, itInTorture, sampled, siteTexts, until } from '@vitrine/test-support';
import { initStore } from '@vitrine/adapters-mongo';
import { openDatabase } from '@vitrine/http/store';
import { leased } from '../src/stores.js';
import { CommandLine } from './support/command-line.js';

const MAIN = join(__dirname, '../dist/main.js');
const EXAMPLE = join(__dirname, '../../../examples/records.ndjson');
/** The first two are those that do not approve the record. */
const LISTS = ['[acme/other]', '[{name: acme/widget, id: 100}]', '[acme/widget]', '[{name: acme/widget, id: 99}]'];
const CONFIGURATION = 'approved: [acme/widget]\nstore: mongodb\n';

const lines: CommandLine[] = [];
afterAll(() => {
  for (const { folder } of lines) rmSync(folder, { recursive: true, force: true });
});

function commandLine(uri: string): CommandLine {
  const line = new CommandLine(CONFIGURATION, { MONGODB_URI: uri });
  lines.push(line);
  return line;
}

function recordsOf(file: string): readonly unknown[] {
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
}

describeMongo('vitrine with MongoDB', (databases) => {
  let db: Awaited<ReturnType<typeof databases.database>>;
  let vitrine: CommandLine;
  beforeAll(async () => {
    db = await databases.prepared(initStore);
  });
  beforeEach(async () => {
    await emptied(db);
    vitrine = commandLine(databases.uriOf(db.databaseName));
  });

  const lend = (holder: string) =>
    db.collection<{ _id: string; holder: string; expiresAt: Date }>('leases').insertOne({ _id: 'writer', holder, expiresAt: new Date(4e12) });
  const leases = () => db.collection<{ _id: string; holder: string }>('leases').find().toArray();

  it('imports and exports the same as a folder does, creates indexes, and releases the lease', async () => {
    const created = await databases.database();
    vitrine = commandLine(databases.uriOf(created.databaseName));
    const embedded = new CommandLine('approved: [acme/widget]\n', {});
    lines.push(embedded);
    const [there, here] = [embedded.path('out.ndjson'), vitrine.path('out.ndjson')];
    for (const [line, out] of [
      [embedded, there],
      [vitrine, here],
    ] as const) {
      expect(await line.run('import', EXAMPLE)).toBe(0);
      expect(await line.run('export', out)).toBe(0);
    }
    expect((await created.collection('commits').indexes()).length).toBeGreaterThan(1);
    expect(await created.collection('leases').countDocuments()).toBe(0);
    expect(recordsOf(here)).toEqual(recordsOf(there));
    expect(vitrine.out[0]).toBe(embedded.out[0]);
    if (isTorture) {
      for (const line of [embedded, vitrine]) expect(await line.run('site', line.path('site'), '--url', 'https://status.example')).toBe(0);
      expect(siteTexts(vitrine.path('site')).size).toBeGreaterThan(50);
      expect(siteTexts(vitrine.path('site'))).toEqual(siteTexts(embedded.path('site')));
    }
    expect(await vitrine.run('import', here)).toBe(0);
    expect(vitrine.out.at(-1)).toContain('0 stored, 15 unchanged');
    expect(vitrine.err).toEqual([]);
  });

  it('reads every document, and names those that are damaged', async () => {
    expect(await vitrine.run('import', EXAMPLE)).toBe(0);
    expect(await vitrine.run('store', 'check')).toBe(0);
    expect(vitrine.out.at(-1)).toContain('nothing is damaged');
    for (const name of ['commits', 'services']) await db.collection(name).updateOne({}, { $set: { provenance: 17 } });
    for (const name of ['status_checks', 'status_days']) await db.collection(name).updateOne({}, { $set: { serviceKey: 17 } });
    expect(await vitrine.run('store', 'check')).toBe(1);
    const kinds = vitrine.out.flatMap((line) => /^damaged: (\S+) /.exec(line)?.[1] ?? []);
    expect(kinds.sort()).toEqual(['check', 'commit', 'service', 'status-day']);
  }, 60_000);

  itInTorture('deletes by name a record that was stored with a forge id, in both stores, with any allowlist', async () => {
    const stores = [
      [new CommandLine('', {}), ''],
      [vitrine, 'store: mongodb\n'],
    ] as const;
    lines.push(stores[0][0]);
    const example = readFileSync(EXAMPLE, 'utf8').trimEnd().split('\n');
    const [record] = example.filter((text) => text.includes('"kind":"commit"') || text.includes('"kind": "commit"'));
    const { sha } = JSON.parse(record ?? '') as { sha: string };
    const deletion = `${JSON.stringify({ kind: 'commit', id: `acme/widget@${sha}`, deleted: true })}\n`;
    for (const [line, store] of stores)
      for (const list of isTorture ? LISTS : LISTS.slice(0, 2)) {
        line.write('vitrine.yaml', `approved: [{name: acme/widget, id: 99}]\n${store}`);
        expect(await line.run('import', line.write('in.ndjson', `${record ?? ''}\n`))).toBe(0);
        expect(line.out.at(-1)).toContain('1 line, 1 stored');
        line.write('vitrine.yaml', `approved: ${list}\n${store}`);
        expect(await line.run('import', line.write('gone.ndjson', deletion))).toBe(0);
        expect([list, line.out.at(-1)]).toEqual([list, expect.stringContaining('1 removed')]);
      }
  });

  it('prepares a database any number of times', async () => {
    await db.collection('commits').dropIndexes();
    expect(await vitrine.run('store', 'init')).toBe(0);
    expect(await vitrine.run('store', 'init')).toBe(0);
    expect(vitrine.out[0]).toMatch(/^The database vitrine_test_\S+ at 127\.0\.0\.1:\d+ is ready; indexes built: [1-9]\d*\.$/);
    expect(vitrine.out[1]).toContain('indexes built: 0.');
  });

  itInTorture('rebuilds derived data, and waits for the lease like every writer', async () => {
    expect(await vitrine.run('import', EXAMPLE)).toBe(0);
    // The example also holds counts of a day without checks, which nothing can count again.
    const counted = { _id: / 2026-/ };
    const stored = db.collection<{ readonly _id: string }>('status_days');
    const days = () => stored.find(counted).sort({ _id: 1 }).toArray();
    const before = await days();
    await stored.deleteMany(counted);
    expect(await vitrine.run('store', 'reindex')).toBe(0);
    expect(before.length).toBeGreaterThan(0);
    expect(await days()).toEqual(before);
    expect(vitrine.out.at(-1)).toMatch(/^The database vitrine_test_\S+ at \S+ is reindexed\.$/);
    expect(await leases()).toEqual([]);
  });

  it('collects on schedule and on request until it is stopped, and then releases the lease', async () => {
    mkdirSync(vitrine.path('help'));
    writeFileSync(join(vitrine.path('help'), 'a.md'), '# A');
    vitrine.write('vitrine.yaml', `${CONFIGURATION}sources: [{ articles: help }]\n`);
    const running = vitrine.run('collect', '--watch');
    await until(() => Promise.resolve(vitrine.out.includes('article help: 1 stored, 0 unchanged, 0 removed')));
    expect(await leases()).toHaveLength(1);
    await until(() => Promise.resolve(vitrine.takesRequests()));
    writeFileSync(join(vitrine.path('help'), 'b.md'), '# B');
    expect(await vitrine.run('collect', '--source', 'article help')).toBe(0);
    expect(vitrine.out.at(-1)).toMatch(/^article help: 1 stored/);
    vitrine.stopping.abort(new Error('stopped'));
    expect([await running, vitrine.err, await leases()]).toEqual([0, [], []]);
  });

  itInTorture('waits while another process writes, names it once, and continues when it has ended', async () => {
    await lend('the other one');
    const run = vitrine.run('import', EXAMPLE);
    await until(() => vitrine.err.length === 1);
    await sleep(1_500);
    expect(vitrine.out).toEqual([]);
    await db.collection('leases').deleteMany({});
    expect(await run).toBe(0);
    expect(vitrine.err).toEqual([`the other one uses the database ${db.databaseName}; waiting for up to 10 s.`]);
  });

  it.each(sampled([['import', EXAMPLE], ['collect'], ['store', 'reindex']], 3))(
    'exits with 3 if another process writes for longer than the time to wait, and names it: %s',
    async (...command) => {
      await lend('the other one');
      expect(await vitrine.run(...command, '--wait', '1s')).toBe(3);
      expect([vitrine.out, vitrine.err]).toEqual([
        [],
        [
          `the other one uses the database ${db.databaseName}; waiting for up to 1 s.`,
          expect.stringMatching(/^the other one uses the database .*, and did not end within 1 s\. Stop that process, or .*--wait 5m\. /),
        ],
      ]);
    },
  );

  it('ends when it is stopped while it waits', async () => {
    await lend('another');
    const run = vitrine.run('import', EXAMPLE);
    await until(() => vitrine.err.length === 1);
    vitrine.stopping.abort(new Error('stopped'));
    expect(await run).toBe(1);
    expect(vitrine.err[1]).toBe('stopped');
  });

  it('exits with 4 and prints one line if the lease is lost', async () => {
    const git = '{git: "https://code.example/w.git", repository: acme/widget, url: "https://code.example/w"}';
    vitrine.write('vitrine.yaml', `${CONFIGURATION}sources:\n  - ${git}\n`);
    // A fake git that runs for a long time.
    chmodSync(vitrine.write('git', '#!/bin/sh\nexec sleep 60\n'), 0o755);
    const run = vitrine.run('collect');
    await until(async () => (await leases()).length === 1);
    await db.collection('leases').updateOne({}, { $set: { holder: 'a thief' } });
    expect(await run).toBe(4);
    expect(vitrine.err).toEqual([expect.stringMatching(/^The right to write to this database was lost: .* Run the command again\.$/)]);
    expect((await leases())[0]?.holder).toBe('a thief');
  });

  it.each([
    ['that the right to write was lost, if another one has it', 'a thief', 'LeaseLostError'],
    ['what it says, if the right to write still holds', 'this one', 'RangeError'],
  ])('means by a read that fails outside a commit %s', async (_, holder, name) => {
    const context = { signal: new AbortController().signal, holder: 'this one', warn: () => undefined, waitMs: 0 };
    const address = { kind: 'mongodb', uri: databases.uriOf(db.databaseName), hosts: 'here', retentionMs: 400 * 86_400_000 } as const;
    const store = await openDatabase(address, { clock: { now: () => Date.now() } });
    const failing = leased(store, context, async () => {
      await db.collection('leases').updateOne({}, { $set: { holder } });
      throw new RangeError('what the driver says');
    });
    await expect(failing).rejects.toMatchObject({ name });
    await store.close();
  });

  const LOST = /^The right to write to this database was lost: .* Run the command again\.$/;
  const MANY = 4_000;

  /** A file that takes some time to import. */
  function manyRecords(): string {
    const commit = recordsOf(EXAMPLE).find((record) => (record as { readonly kind?: unknown }).kind === 'commit') as object;
    const lines = Array.from({ length: MANY }, (_, index) => JSON.stringify({ ...commit, sha: String(index).padStart(40, '0') }));
    return vitrine.write('many.ndjson', `${lines.join('\n')}\n`);
  }

  const begun = () => until(async () => (await db.collection('commits').estimatedDocumentCount()) > 0);

  /** All stored data except the lease. */
  async function stored(): Promise<unknown> {
    const names = (await db.collections()).map(({ collectionName }) => collectionName).filter((name) => name !== 'leases');
    return Promise.all(names.sort().map(async (name) => [name, await db.collection(name).find().sort({ _id: 1 }).toArray()]));
  }

  itInTorture('stores nothing more, and exits with 4, if another process takes the lease while it writes', async () => {
    const run = vitrine.run('import', manyRecords());
    await begun();
    await db.collection('leases').updateOne({}, { $set: { holder: 'a thief' } });
    const before = await stored();
    expect(await run).toBe(4);
    expect(await stored()).toEqual(before);
    expect(await db.collection('commits').countDocuments()).toBeLessThan(MANY);
    expect(vitrine.err).toEqual([expect.stringMatching(LOST)]);
  });

  // The lease lasts half a minute, so only a torture run waits for its end.
  if (isTorture)
    it('stores nothing more, and exits with 4, if its process was paused for longer than its lease', async () => {
      const env = { ...process.env, VITRINE_CONFIG: vitrine.path('vitrine.yaml'), MONGODB_URI: databases.uriOf(db.databaseName) };
      const child = spawn(process.execPath, [MAIN, 'import', manyRecords()], { env, stdio: ['ignore', 'ignore', 'pipe'] });
      const ended = once(child, 'close');
      let said = '';
      child.stderr.on('data', (text: Buffer) => (said += text.toString()));
      await begun();
      child.kill('SIGSTOP');
      expect(await vitrine.run('import', EXAMPLE, '--wait', '2m')).toBe(0);
      const before = await stored();
      child.kill('SIGCONT');
      expect(await ended).toEqual([4, null]);
      expect(said.trim().split('\n').at(-1)).toMatch(LOST);
      expect(await stored()).toEqual(before);
    });

  it('exits with 2 and prints one line if an option of the connection string is unknown', async () => {
    const line = commandLine('mongodb://ada:secret@127.0.0.1/?colour=red');
    expect(await line.run('export', line.path('out.ndjson'))).toBe(2);
    expect(line.err).toEqual(['The connection string of MongoDB cannot be used: option colour is not supported.']);
  });
});

describe('vitrine without its MongoDB', () => {
  it('exits with 3 and prints one line with the hosts and without the password', async () => {
    const line = commandLine('mongodb://ada:secret@127.0.0.1:1/team');
    expect(await line.run('store', 'init')).toBe(3);
    expect(line.err).toEqual([
      expect.stringMatching(/^MongoDB at 127\.0\.0\.1:1 cannot be reached: .*ECONNREFUSED.*\. Start it, or correct the connection string\.$/),
    ]);
  });
});

if (isTorture)
  describeMongod('vitrine with a MongoDB that has users', (servers) => {
    it('says which user is unknown, and what a user may not do', async () => {
      const { reader, writer } = await servers.guarded('team');
      const run = async (uri: string, ...args: readonly string[]) => {
        const line = commandLine(uri);
        return { code: await line.run(...args, ...(args[0] === 'export' ? [line.path('out.ndjson')] : [])), ...line };
      };
      expect(await run(writer, 'store', 'init')).toMatchObject({ code: 0, err: [] });
      expect(await run(writer, 'import', EXAMPLE)).toMatchObject({ code: 0, err: [] });
      expect(await run(writer, 'store', 'reindex')).toMatchObject({ code: 0, err: [] });
      const own = (await servers.connect(writer)).db();
      await own.collection('news').drop();
      await own.createCollection('news');
      expect(await run(writer, 'store', 'init')).toMatchObject({
        code: 1,
        err: [expect.stringMatching(/^To change the schema of news.* dbAdmin too\.$/)],
      });
      expect(await run(reader, 'export')).toMatchObject({ code: 0, err: [] });
      const wrong = writer.replace(/writer:[^@]*/, 'writer:secret');
      expect(await run(wrong, 'import', EXAMPLE)).toMatchObject({
        code: 3,
        err: [expect.stringMatching(/^MongoDB at \S+ does not take this user with this password\./)],
      });
      const refused = await run(reader, 'import', EXAMPLE);
      expect(refused).toMatchObject({
        code: 3,
        err: [expect.stringMatching(/^MongoDB at \S+ refuses: not authorized on team\. The user needs the role read/)],
      });
    });
  });
