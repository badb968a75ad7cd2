import { aCheck, evidenceFrom, NOW } from '@vitrine/core/testing';
import { DAY, HOUR, MINUTE, startOfDay, uptimeWindows, type Check } from '@vitrine/core';
import { StoreFiles } from '../folder/store-files.js';
import { SqliteStore } from '../open-sqlite-store.js';
import { startLocal } from '../../test/start-local.js';

const context = { signal: new AbortController().signal };
const KEY = aCheck().serviceKey;
const CHECKS = [MINUTE, 2 * HOUR, DAY, 3 * DAY, 40 * DAY].map((age): Check => aCheck({ checkedAt: NOW - age, rawState: `age ${String(age)}` }));

async function opened() {
  const told: string[] = [];
  const monitor = { quarantined: (...words: readonly string[]) => told.push(words.join(' ')) };
  const files = await StoreFiles.open(null);
  const store = new SqliteStore(files, { clock: { now: () => NOW }, path: null, monitor }, startLocal);
  await store.writer.put(CHECKS, context);
  const evidence = async () =>
    (await evidenceFrom(store.readers.checks, { serviceKeys: null, windows: uptimeWindows(NOW), now: NOW }, context)).get(KEY);
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

  it.each([
    ['response times', "update status_day set latency = '[[1' where day < ?"],
    ['what it carries', `update status_day set claims = '[{"source":1}]' where day < ?`],
  ])('leave out a day if its %s are damaged, report it, and add up its counts', async (_what, sql) => {
    const { database, readers, evidence, told, close } = await opened();
    const before = await evidence();
    const today = startOfDay(NOW);
    database.run(sql, today - 20 * DAY);
    const days = (await readers.checks.days({ serviceKeys: null, window: { from: 0, to: today } }, context)).get(KEY) ?? [];
    expect(days.map(({ day }) => day)).not.toContain(startOfDay(NOW - 40 * DAY));
    expect(told).toContainEqual(expect.stringMatching(`^status-day ${KEY} \\S+ unreadable$`));
    expect((await evidence())?.tallies[3]?.counts).toEqual(before?.tallies[3]?.counts);
    await close();
  });

  it('hold counts that can be added up in a database shell', async () => {
    const { database, close } = await opened();
    const sql = 'select sum(operational), sum(outage), max(latency_max), min(latency) from status_day where service = ? and day >= ?';
    expect(database.row(sql, KEY, startOfDay(NOW) - 30 * DAY)).toEqual([4, 0, 212, '[[79,1]]']);
    await close();
  });

  it.each([
    [
      'a page of checks',
      'select time from status_check where service = ? and time >= ? and time <= ? and (time < ? or source > ?) order by time desc, source',
    ],
    ['a year of days', 'select sum(operational) from status_day where service = ? and day >= ? and day < ?'],
    ['days that must be frozen', 'select service, day from status_day where frozen = 0 and day < ? order by day, service'],
    [
      'an export',
      'select service, day from status_day where first_checked_at is not null and (frozen = 1 or day < ?) and (service, day) > (?, ?) order by service, day',
    ],
  ])('read %s along an index', async (_what, sql) => {
    const { database, close } = await opened();
    const values = Array.from(sql.matchAll(/\?/g), () => 0);
    const plan = database.rows(`explain query plan ${sql}`, ...values).map((row) => String(row.at(-1)));
    expect(plan.every((line) => line.startsWith('SEARCH') && !line.includes('TEMP B-TREE'))).toBe(true);
    await close();
  });
});
