import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DAY, HOUR, keyOfIdentity, startOfDay } from '@vitrine/core';
import { aCheck, aCommit, anArticle, aFinding, anIncident, aRelease, aRepositoryRecord, aService, aSync, NOW } from '@vitrine/core/testing';
import { StoreFiles } from '../src/folder/store-files.js';
import { SqliteStore } from '../src/open-sqlite-store.js';
import { startLocal } from './start-local.js';
import { openLocalStore } from './open-local-store.js';

const context = { signal: new AbortController().signal };
const { key } = aService();
const commit = keyOfIdentity(aCommit());
const sha = aCommit().sha;
/** The size of a page of SQLite, in bytes. */
const PAGE = 4_096;

async function filled() {
  const files = await StoreFiles.open(null);
  const store = new SqliteStore(files, { clock: { now: () => NOW }, path: null }, startLocal);
  const checks = Array.from({ length: 40 }, (_, index) => aCheck({ serviceKey: key, checkedAt: NOW - index * HOUR }));
  const plain = [aRepositoryRecord(), aService(), aCommit(), aRelease(), aFinding(), anArticle(), anIncident(), aSync()];
  await store.writer.put([...plain, ...checks], { ...context, source: 'git acme/widget' });
  await store.writer.put([aCommit({ title: 'As another source says it' })], { ...context, source: 'records in' });
  return { store, database: files.database };
}

const isTorture = process.env['VITRINE_TORTURE'] === '1';
const NOT_UTF8 = "cast(x'ff' || ";
/** What is damaged, with which change, and what the check then names. A normal run takes every fourth. */
const DAMAGES: readonly (readonly [what: string, sql: string, kind: string, id: RegExp, reason: string | RegExp])[] = [
  ...['commit', 'release', 'finding', 'article', 'incident', 'service', 'repository', 'sync'].map(
    (kind) => [`a ${kind}`, `update record set json = '{' where kind = '${kind}'`, kind, /./, 'unreadable'] as const,
  ),
  ['text that is not UTF-8', `update record set json = ${NOT_UTF8}json as text) where kind = 'commit'`, 'commit', /./, 'unreadable'],
  ['the kind of a record', "update record set kind = 'commjt' where kind = 'commit'", 'record', /./, 'unknown kind commjt'],
  ['the key in a list', `update listing set key = 'x' where key = '${commit}'`, 'commit', new RegExp(sha), 'missing in its list'],
  ['a place in a list', `delete from listing where key = '${commit}'`, 'commit', new RegExp(sha), 'missing in its list'],
  ['a list without its record', 'update listing set record = 9999', 'list commit', new RegExp(sha), 'without a record'],
  ['what a source says', "update statement set says = '[' where source = 1", 'statement', /^git acme\/widget about /, 'unreadable'],
  ['a source', `update source set name = ${NOT_UTF8}name as text)`, 'source', /git acme/, 'not UTF-8'],
  ['a scope', `update scope set ref = ${NOT_UTF8}ref as text)`, 'repository', /acme/, 'not UTF-8'],
  ['a list', `update list set name = ${NOT_UTF8}name as text)`, 'list', /./, 'not UTF-8'],
  ['a profile of checks', "update check_profile set json = '{}'", 'check', /^profile 1$/, 'unreadable'],
  ['daily counts', "update status_day set latency = '{'", 'status-day', new RegExp(`^${key} 20`), 'unreadable'],
  ['daily claims', "update status_day set claims = '{'", 'status-day', new RegExp(`^${key} 20`), 'unreadable'],
  ['hourly counts', "update status_hour set latency = '{'", 'status-hour', new RegExp(`^${key} 20`), 'unreadable'],
  ['a latest state', "update status_latest set json = '{}'", 'status-latest', new RegExp(`^${key}$`), 'unreadable'],
  ['a check of a latest state', "update status_latest set json = replace(json, '[17', '[null,17')", 'check', new RegExp(`^${key} `), 'unreadable'],
  ['the counts of activity', 'update activity set count = 7', 'activity', /^commit of acme\/widget$/, 'differs from the records'],
  ['what was written', `update change set kind = ${NOT_UTF8}kind as text)`, 'change', /./, 'not UTF-8'],
  ['a search entry', 'pragma foreign_keys = off; update search_entry set record = record + 9000', 'search entry', /./, 'names a missing record'],
];

describe('a check of everything that is stored', () => {
  it('names nothing in an intact store, and counts what is stored', async () => {
    const { store } = await filled();
    const { records, damages } = await store.check(context);
    expect(damages).toEqual([]);
    const kinds = ['article', 'commit', 'finding', 'incident', 'release', 'repository', 'service', 'sync'].map((kind) => [kind, 1] as const);
    const days = 1 + (startOfDay(NOW) - startOfDay(NOW - 39 * HOUR)) / DAY;
    expect([...records]).toEqual([...kinds, ['check', 40], ['status-day', days]]);
    await store.close();
  });

  it.each(DAMAGES.filter((_, index) => isTorture || index % 4 === 0))('names %s', async (_what, sql, kind, id, reason) => {
    const { store, database } = await filled();
    database.exec(sql);
    const { damages } = await store.check(context);
    expect(damages).toContainEqual({ kind, id: expect.stringMatching(id) as string, reason });
    await store.close();
  });
});

describe('a check of a file with damaged pages', () => {
  it('names the file, and reads the rest', async () => {
    const path = await mkdtemp(join(tmpdir(), 'vitrine-check-'));
    const store = await openLocalStore({ clock: { now: () => NOW }, path });
    await store.writer.put([aService(), ...Array.from({ length: 500 }, (_, index) => aCommit({ sha: String(index).padStart(40, 'a') }))], context);
    await store.close();
    const file = join(path, 'vitrine.db');
    const bytes = await readFile(file);
    const middle = Math.floor(bytes.length / 2 / PAGE) * PAGE;
    await writeFile(file, bytes.fill(7, middle, middle + 8 * PAGE));
    const damaged = await openLocalStore({ clock: { now: () => NOW }, path });
    const { damages } = await damaged.check(context);
    expect(damages.map(({ kind }) => kind)).toContain('file');
    await damaged.close();
    await rm(path, { recursive: true });
  });
});

describe('what readers leave out', () => {
  it.each(['status_day', 'status_hour', 'status_latest'])('is reported, also of %s', async (table) => {
    const told: string[] = [];
    const files = await StoreFiles.open(null);
    const monitor = { quarantined: (kind: string) => told.push(kind.replace('-', '_')) };
    const store = new SqliteStore(files, { clock: { now: () => NOW }, path: null, monitor }, startLocal);
    await store.writer.put([aService(), aCheck({ serviceKey: key, checkedAt: NOW - HOUR })], context);
    files.database.exec(table === 'status_latest' ? "update status_latest set json = '{'" : `update ${table} set claims = '{'`);
    const window = { from: NOW - 2 * DAY, to: NOW };
    await store.readers.checks.days({ serviceKeys: null, window }, context);
    await store.readers.checks.hours(key, window, context);
    expect(new Set(told)).toEqual(new Set([table]));
    await store.close();
  });
});
