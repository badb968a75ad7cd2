import { aCheck, NOW } from '@vitrine/core/testing';
import { DAY, HOUR, MINUTE, startOfDay, uptimeWindows, type Check } from '@vitrine/core';
import { StoreFiles } from '../folder/store-files.js';
import { openStoreOf } from '../open-sqlite-store.js';
import { SqliteStore } from '../sqlite-store.js';
import { dayOfColumns } from './day-columns.js';
import { connectLocal } from '../../test/connect-local.js';

const context = { signal: new AbortController().signal };
const KEY = aCheck().serviceKey;
const CHECKS = [MINUTE, 2 * HOUR, DAY, 3 * DAY, 40 * DAY].map((age): Check => aCheck({ checkedAt: NOW - age, rawState: `age ${String(age)}` }));

async function opened() {
  const told: string[] = [];
  const monitor = { quarantined: (...words: readonly string[]) => told.push(words.join(' ')) };
  const files = await StoreFiles.open(null);
  const store = openStoreOf(new SqliteStore(files, { clock: { now: () => NOW }, path: null, monitor }, connectLocal));
  await store.writer.put(CHECKS, context);
  const evidence = async () => (await store.readers.checks.evidence({ serviceKeys: null, windows: uptimeWindows(NOW), now: NOW }, context)).get(KEY);
  return { ...store, close: () => store.close(), database: files.database, evidence, told };
}

describe('the tables of checks', () => {
  it('skip checks whose profile is damaged, report it once, and fill the page with others', async () => {
    const { database, readers, told, close } = await opened();
    database.run("update check_profile set json = '{' where json like '%age 7200000%'");
    database.run("update check_profile set json = replace(json, 'probe', 'ada@example.org') where json like '%age 86400000%'");
    const page = await readers.checks.list(KEY, { limit: 2, after: null, from: null, to: NOW }, context);
    const rest = await readers.checks.list(KEY, { limit: 9, after: page.next, from: null, to: NOW }, context);
    expect([...page.items, ...rest.items].map(({ rawState }) => rawState)).toEqual([CHECKS[0], CHECKS[3], CHECKS[4]].map((check) => check?.rawState));
    expect(page.items).toHaveLength(2);
    expect(told.filter((line) => line.endsWith('unreadable'))).toHaveLength(1);
    await close();
  });

  it('add up days whose totals could not be packed', async () => {
    const { database, evidence, close } = await opened();
    const expected = await evidence();
    database.run('update status_day set packed = null where day < ?', startOfDay(NOW) - DAY);
    database.run('update status_past set changes = changes + 1');
    expect(await evidence()).toEqual(expected);
    await close();
  });

  it('leave out the hours of a day whose bytes are damaged, and report it', async () => {
    const { database, evidence, told, close } = await opened();
    const before = await evidence();
    database.run("update status_day_counts set hours = x'ff' where day < ?", startOfDay(NOW));
    database.run('update status_past set changes = changes + 1');
    const after = await evidence();
    expect(after?.lastCheckedAt).toBe(before?.lastCheckedAt);
    expect(told).toContain(`status-day ${KEY} hours: wrong`);
    await close();
  });

  it('keep hours whose numbers cannot be packed as text', async () => {
    const { database, evidence, close } = await opened();
    const expected = await evidence();
    for (const [service, day, json, hours] of database.rows('select service, day, json, hours from status_day_counts'))
      database.run(
        'update status_day_counts set json = ?, hours = null where service = ? and day = ?',
        JSON.stringify(dayOfColumns(json, hours)),
        String(service),
        Number(day),
      );
    database.run('update status_past set changes = changes + 1');
    expect(await evidence()).toEqual(expected);
    await close();
  });

  it('are read in the background when a server starts with many days', async () => {
    const { database, warm, readers, close } = await opened();
    await warm();
    database.run(`with recursive n (day) as (select 1 union all select day + 1 from n limit 2100)
      insert into status_day (service, day, frozen, covered_until) select 'other', day, 1, 0 from n`);
    await warm();
    expect((await readers.checks.list(KEY, { limit: 9, after: null, from: null, to: NOW }, context)).items).toHaveLength(CHECKS.length);
    await close();
    await expect(warm()).resolves.toBeUndefined();
  });

  it.each([
    [
      'a page of checks',
      'select time from status_check where service = ? and time >= ? and time <= ? and (time < ? or source > ?) order by time desc, source',
    ],
    ['a year of days', 'select packed from status_day where service = ? and day >= ? and day < ?'],
    ['days that must be frozen', 'select service, day from status_day where frozen = 0 and day < ? order by day, service'],
    ['an export', 'select service, day from status_day where (frozen = 1 or day < ?) and (service, day) > (?, ?) order by service, day'],
  ])('read %s along an index', async (_what, sql) => {
    const { database, close } = await opened();
    const values = Array.from(sql.matchAll(/\?/g), () => 0);
    const plan = database.rows(`explain query plan ${sql}`, ...values).map((row) => String(row.at(-1)));
    expect(plan.every((line) => line.startsWith('SEARCH') && !line.includes('TEMP B-TREE'))).toBe(true);
    await close();
  });
});
