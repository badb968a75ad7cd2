import { appendFile, chmod, cp, mkdir, mkdtemp, open, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ClassicLevel } from 'classic-level';
import { checksumOf } from './entry-sums.js';
import { LevelRecordLog } from './level-record-log.js';
import type { LogChange } from './record-log.js';
import { StoreFolderError } from './store-folder-error.js';

let root = '';
let serial = 0;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'vitrine-log-'));
});
afterAll(() => rm(root, { recursive: true }));

function newFolder(): string {
  return join(root, `store-${String(serial++)}`);
}

function put(key: string, text: string): LogChange {
  return { key, value: Buffer.from(text) };
}

async function read(folder: string): Promise<Record<string, string>> {
  const log = await LevelRecordLog.open(folder);
  const found: Record<string, string> = {};
  try {
    for await (const entries of log.load()) for (const { key, value } of entries) found[key] = Buffer.from(value).toString();
  } finally {
    await log.close();
  }
  return found;
}

/** Opens the folder and appends each batch. */
async function write(folder: string, ...batches: readonly (readonly LogChange[])[]): Promise<void> {
  const log = await opened(folder);
  for (const batch of batches) await log.append(batch);
  await log.close();
}

/** Opens and loads the log. */
async function opened(folder: string): Promise<LevelRecordLog> {
  const log = await LevelRecordLog.open(folder);
  for await (const entries of log.load()) for (const { key } of entries) expect(key).not.toBe('');
  return log;
}

/** Makes the first append fail. Resolves with a function that removes the cause. */
async function failOnAppend(folder: string): Promise<() => Promise<void>> {
  const note = join(folder, 'vitrine.closed');
  await rm(note, { force: true });
  await mkdir(note);
  return () => rm(note, { recursive: true });
}

async function problemOf(folder: string): Promise<StoreFolderError> {
  const outcome: unknown = await read(folder).catch((error: unknown) => error);
  if (!(outcome instanceof StoreFolderError)) throw new Error(`not refused: ${JSON.stringify(outcome).slice(0, 200)}`);
  expect(outcome.message).toContain(folder);
  return outcome;
}

async function each(folder: string, name: RegExp, harm: (file: string) => Promise<unknown>): Promise<void> {
  const names = (await readdir(folder)).filter((found) => name.test(found));
  expect(names).not.toEqual([]);
  for (const found of names) await harm(join(folder, found));
}

async function writeAheadLog(folder: string): Promise<string> {
  const name = (await readdir(folder)).find((found) => found.endsWith('.log'));
  return join(folder, name ?? '');
}

async function flip(file: string, at: number): Promise<void> {
  const handle = await open(file, 'r+');
  const byte = Buffer.alloc(1);
  await handle.read(byte, 0, 1, at);
  byte[0] = (byte[0] ?? 0) ^ 0x55;
  await handle.write(byte, 0, 1, at);
  await handle.close();
}

describe('LevelRecordLog', () => {
  it('returns what was appended, replaced and removed, each time it is opened', async () => {
    const folder = newFolder();
    await write(
      folder,
      [put('r/a', 'one'), put('r/é', 'two')],
      [put('r/a', 'three'), { key: 'r/é', value: null }, { key: 'never there', value: null }],
    );
    expect(await read(folder)).toEqual({ 'r/a': 'three' });
    await write(folder, [put('b', '')]);
    expect(await read(folder)).toEqual({ b: '', 'r/a': 'three' });
  });

  it('creates a missing folder, and accepts an empty one', async () => {
    const folder = join(newFolder(), 'deeper');
    expect(await read(folder)).toEqual({});
    const empty = newFolder();
    await mkdir(empty);
    expect(await read(empty)).toEqual({});
  });

  it('rejects an append before it is loaded', async () => {
    const log = await LevelRecordLog.open(newFolder());
    await expect(log.append([put('a', 'b')])).rejects.toThrow('loaded');
    await log.close();
  });

  it('rejects a folder that contains other files, and a path that is a file', async () => {
    const folder = newFolder();
    await mkdir(folder);
    await writeFile(join(folder, 'holiday.jpg'), '');
    expect(await problemOf(folder)).toMatchObject({ problem: 'not-a-store' });
    expect(await problemOf(join(folder, 'holiday.jpg'))).toMatchObject({ problem: 'not-a-store' });
  });

  it('rejects a folder of a newer format, and says so', async () => {
    const folder = newFolder();
    await write(folder, [put('a', 'b')]);
    const level = new ClassicLevel<string, Buffer>(folder, { valueEncoding: 'buffer' });
    const totals = Buffer.from(JSON.stringify({ format: 2, entries: 'unknown by now' }));
    const checksum = Buffer.alloc(4);
    checksum.writeUInt32LE(checksumOf('!vitrine', totals));
    await level.put('!vitrine', Buffer.concat([checksum, totals]));
    await level.close();
    const refused = await problemOf(folder);
    expect(refused.problem).toBe('newer');
    expect(refused.message).toContain('format 2');
  });

  it('creates a folder, with its parent folders, that only its owner can read, and leaves the permissions of one that exists', async () => {
    const modeOf = async (folder: string) => ((await stat(folder)).mode & 0o777).toString(8);
    const parent = newFolder();
    await write(join(parent, 'store'), [put('a', 'b')]);
    const existing = newFolder();
    await mkdir(existing);
    await chmod(existing, 0o750);
    await write(existing, [put('a', 'b')]);
    expect(await Promise.all([parent, join(parent, 'store'), existing].map(modeOf))).toEqual(['700', '700', '750']);
  });

  it('rejects a second opening while the first is open', async () => {
    const folder = newFolder();
    const log = await LevelRecordLog.open(folder);
    expect(await problemOf(folder)).toMatchObject({ problem: 'in-use' });
    await log.close();
  });

  it('names the process that has the folder open, as long as it has', async () => {
    const folder = newFolder();
    const log = await LevelRecordLog.open(folder, 'host, process 7');
    const refused = await problemOf(folder);
    expect([refused.problem, refused.holder, refused.message]).toEqual(['in-use', 'host, process 7', expect.stringContaining('by host, process 7.')]);
    await log.close();
    expect(await readdir(folder)).not.toContain('vitrine.holder');
  });

  it('does not name a process that was killed', async () => {
    const folder = newFolder();
    await write(folder, [put('a', 'b')]);
    await writeFile(join(folder, 'vitrine.holder'), 'host, process 6');
    const log = await LevelRecordLog.open(folder);
    expect(await problemOf(folder)).toMatchObject({ problem: 'in-use', holder: null });
    await log.close();
    expect(await read(folder)).toEqual({ a: 'b' });
  });

  it('detects an entry that was changed, lost or added from outside', async () => {
    for (const harm of ['change', 'lose', 'add'] as const) {
      const folder = newFolder();
      await write(folder, [put('a', 'one'), put('b', 'two')]);
      const level = new ClassicLevel<string, Buffer>(folder, { valueEncoding: 'buffer' });
      const stored = await level.get('a');
      if (harm === 'lose') await level.del('a');
      else await level.put(harm === 'add' ? 'c' : 'b', stored ?? Buffer.alloc(0));
      await level.close();
      expect(await problemOf(folder)).toMatchObject({ problem: 'damaged' });
    }
  });

  it('detects a lost batch in the middle of the write-ahead log', async () => {
    const folder = newFolder();
    const batches = Array.from({ length: 60 }, (_, index) => [put(`key ${String(index)}`, 'x'.repeat(3_000))]);
    await write(folder, ...batches);
    const file = await writeAheadLog(folder);
    expect((await stat(file)).size).toBeGreaterThan(150_000);
    await flip(file, 40_000);
    expect(await problemOf(folder)).toMatchObject({ problem: 'damaged' });
  });

  it('rejects tables and manifests with flipped bytes, cut short or missing', async () => {
    const harms: ((folder: string) => Promise<unknown>)[] = [
      (folder) => each(folder, /\.ldb$/, (file) => flip(file, 1_000)),
      (folder) => each(folder, /\.ldb$/, (file) => truncate(file, 2_000)),
      (folder) => each(folder, /\.ldb$/, (file) => truncate(file, 0)),
      (folder) => each(folder, /\.ldb$/, (file) => rm(file)),
      (folder) => each(folder, /^MANIFEST/, (file) => truncate(file, 10)),
      (folder) => each(folder, /^CURRENT$/, (file) => rm(file)),
      (folder) => each(folder, /^CURRENT$/, (file) => writeFile(file, 'MANIFEST-999999\n')),
    ];
    for (const harm of harms) {
      const folder = newFolder();
      const random = Buffer.from(Array.from({ length: 200_000 }, (_, index) => (index * 2_654_435_761) % 251));
      await write(
        folder,
        ...Array.from({ length: 40 }, (_, index) => [{ key: `key ${String(index)}`, value: random.subarray(index, index + 150_000) }]),
      );
      // When a folder is opened, LevelDB moves the content of the write-ahead log to tables.
      expect(Object.keys(await read(folder))).toHaveLength(40);
      await harm(folder);
      expect(await problemOf(folder)).toMatchObject({ problem: 'damaged' });
    }
  }, 60_000);

  it('detects the loss of the last write before it was closed', async () => {
    const harms: ((file: string) => Promise<unknown>)[] = [
      async (file) => flip(file, (await stat(file)).size - 20),
      async (file) => truncate(file, Math.floor((await stat(file)).size / 2)),
      (file) => truncate(file, 0),
      (file) => rm(file),
    ];
    for (const harm of harms) {
      const folder = newFolder();
      await write(folder, [put('a', 'one')], [put('b', 'two'.repeat(500))]);
      await harm(await writeAheadLog(folder));
      const refused = await problemOf(folder);
      expect(refused).toMatchObject({ problem: 'damaged' });
      expect(refused.message).toContain('written last');
    }
  });

  it('rejects or reads completely a folder with any one byte flipped', async () => {
    const folder = newFolder();
    await write(folder, [put('a', 'one'), put('b', 'two')], [put('c', 'three')]);
    expect(Object.keys(await read(folder))).toHaveLength(3);
    await write(folder, [put('d', 'four')]);
    const names = (await readdir(folder)).filter((name) => !/^LO/.test(name));
    for (const name of names) {
      const { size } = await stat(join(folder, name));
      for (let at = 0; at < size; at += Math.max(1, Math.floor(size / 12))) {
        const copy = newFolder();
        await cp(folder, copy, { recursive: true });
        await flip(join(copy, name), at);
        const outcome: unknown = await read(copy).catch((error: unknown) => error);
        if (outcome instanceof StoreFolderError) expect(['damaged', 'newer', 'unreadable']).toContain(outcome.problem);
        else expect(outcome).toEqual({ a: 'one', b: 'two', c: 'three', d: 'four' });
      }
    }
  }, 60_000);

  it('accepts a write-ahead log whose last record was cut by a crash', async () => {
    const folder = newFolder();
    await write(folder, [put('a', 'one')]);
    const file = await writeAheadLog(folder);
    await appendFile(file, Buffer.from([1, 2, 3, 4, 200, 0, 1, 9, 9]));
    expect(await read(folder)).toEqual({ a: 'one' });
  });

  it('rejects every append after a failed one, until it is recovered', async () => {
    const folder = newFolder();
    await write(folder, [put('a', 'one')]);
    const log = await opened(folder);
    const repair = await failOnAppend(folder);
    await expect(log.append([put('b', 'two')])).rejects.toMatchObject({ problem: 'unwritable', message: expect.stringContaining(folder) });
    await expect(log.append([put('b', 'two')])).rejects.toThrow('recovered');
    await repair();
    await expect(log.append([put('b', 'two')])).rejects.toThrow('recovered');
    expect(await log.recover()).toBe(false);
    await log.append([put('c', 'three')]);
    await log.close();
    expect(await read(folder)).toEqual({ a: 'one', c: 'three' });
  });

  it('does not recover if an acknowledged entry is missing', async () => {
    const folder = newFolder();
    const log = await opened(folder);
    await log.append([put('a', 'one')]);
    await log.close();
    const again = await opened(folder);
    await failOnAppend(folder);
    await expect(again.append([put('b', 'two')])).rejects.toMatchObject({ problem: 'unwritable' });
    await each(folder, /\.ldb$/, (file) => rm(file));
    await expect(again.recover()).rejects.toMatchObject({ problem: 'damaged' });
    await expect(again.append([put('b', 'two')])).rejects.toThrow('recovered');
    await again.close();
  });

  it('closes even if no note can be written, and keeps everything', async () => {
    const folder = newFolder();
    const log = await opened(folder);
    await log.append([put('a', 'one')]);
    await mkdir(join(folder, 'vitrine.closed.new'));
    await log.close();
    expect(await read(folder)).toEqual({ a: 'one' });
  });
});
