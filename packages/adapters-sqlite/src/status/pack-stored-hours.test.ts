import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DAY, HOUR, MINUTE, uptimeWindows, type Check } from '@vitrine/core';
import { aCheck, NOW } from '@vitrine/core/testing';
import { connectLocal } from '../../test/connect-local.js';
import { bringBack } from '../../test/older-format.js';
import { MIGRATIONS } from '../database/schema.js';
import { SqliteDatabase } from '../database/sqlite-database.js';
import { StoreFiles } from '../folder/store-files.js';
import { openStoreOf } from '../open-sqlite-store.js';
import { SqliteStore } from '../sqlite-store.js';

const context = { signal: new AbortController().signal };
const folder = mkdtempSync(join(tmpdir(), 'vitrine-formats-'));
const file = join(folder, 'vitrine.db');
const SERVICES = ['acme:api', 'acme:docs'];
const checks = SERVICES.flatMap((serviceKey) =>
  Array.from({ length: 400 }, (_, index): Check => aCheck({ serviceKey, checkedAt: NOW - index * 17 * HOUR, responseTimeMs: index % 90 })),
);

afterAll(() => {
  rmSync(folder, { recursive: true });
});

async function opened() {
  const files = await StoreFiles.open(folder);
  return openStoreOf(new SqliteStore(files, { clock: { now: () => NOW }, path: folder }, connectLocal));
}

describe('a file of format 1', () => {
  it('is brought to the present format when it is opened, and has the same answers then', async () => {
    const answers = async () => {
      const { readers, writer, close } = await opened();
      const evidence = await readers.checks.evidence({ serviceKeys: null, windows: uptimeWindows(NOW), now: NOW }, context);
      const days = await readers.checks.days({ serviceKeys: ['acme:docs'], window: { from: NOW - 90 * DAY - MINUTE, to: NOW }, now: NOW }, context);
      return { evidence, days, writer, close };
    };
    const first = await opened();
    await first.writer.put(checks, context);
    await first.close();
    const before = await answers();
    await before.close();

    const database = new SqliteDatabase(file);
    bringBack(database, 1);
    database.close();

    const after = await answers();
    expect(after.evidence).toEqual(before.evidence);
    expect(after.days).toEqual(before.days);
    expect(after.evidence.size).toBe(SERVICES.length);
    expect((await after.writer.put(checks, context)).unchanged).toBe(checks.length);
    await after.close();
    const present = new SqliteDatabase(file);
    expect(present.number('pragma user_version')).toBe(MIGRATIONS.length);
    expect(present.number('select count(*) from status_day_counts where hours is null')).toBe(0);
    present.close();
  });
});
