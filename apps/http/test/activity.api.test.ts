import { Allowlist, DAY, HOUR, MINUTE, startOfDay, UnavailableError, type StoredRecord } from '@vitrine/core';
import { aCommit, aRelease, NOW } from '@vitrine/core/testing';
import { Api, type Answer } from './support/api.js';

const TODAY = startOfDay(NOW);
const PATH = '/api/v1/development/activity';
const context = { signal: new AbortController().signal };

const commit = (repositoryRef: 'acme/widget' | 'acme/gadget', committedAt: number, serial: number) =>
  aCommit({ repositoryRef, committedAt, sha: String(serial).padStart(40, '0') });

const records: readonly StoredRecord[] = [
  commit('acme/widget', TODAY, 1),
  commit('acme/widget', TODAY - 1, 2),
  commit('acme/gadget', TODAY, 3),
  commit('acme/gadget', NOW + HOUR, 4),
  aRelease({ publishedAt: TODAY - 364 * DAY }),
];

interface Day {
  readonly date: string;
  readonly commits: number;
  readonly releases: number;
}

function daysOf({ json }: Answer): readonly Day[] {
  return (json as { readonly data: readonly Day[] }).data;
}

const dateOf = (day: number): string => new Date(day).toISOString().slice(0, 10);
const busy = (answer: Answer): readonly Day[] => daysOf(answer).filter(({ commits, releases }) => commits + releases > 0);

afterAll(() => Api.closeAll());

describe('activity', () => {
  const both = Allowlist.of('acme/widget', 'acme/gadget').approved();

  it('lists the last 365 days of all approved repositories, oldest first, without the future', async () => {
    const api = await Api.open({ records, approved: { current: () => both } });
    const answer = await api.get(PATH);
    expect(daysOf(answer).map(({ date }) => date)).toEqual(Array.from({ length: 365 }, (_, index) => dateOf(TODAY - (364 - index) * DAY)));
    expect(busy(answer)).toEqual([
      { date: dateOf(TODAY - 364 * DAY), commits: 0, releases: 1 },
      { date: dateOf(TODAY - DAY), commits: 1, releases: 0 },
      { date: dateOf(TODAY), commits: 2, releases: 0 },
    ]);
    expect(answer.json).toMatchObject({ meta: { nextCursor: null, hasMore: false } });
  });

  it('counts no record of a repository from the moment it leaves the allowlist', async () => {
    let approved = both;
    const api = await Api.open({ records, approved: { current: () => approved } });
    const today = async (): Promise<number | undefined> => daysOf(await api.get(PATH)).at(-1)?.commits;
    expect(await today()).toBe(2);
    approved = Allowlist.of('acme/widget').approved();
    expect(await today()).toBe(1);
    approved = Allowlist.of().approved();
    expect(await today()).toBe(0);
  });

  it('of one repository ignores letter case, and is empty for one that is not approved', async () => {
    const api = await Api.open({ records, approved: { current: () => Allowlist.of('acme/gadget').approved() } });
    expect(busy(await api.get(`${PATH}?repository=Acme/GADGET`))).toEqual([{ date: dateOf(TODAY), commits: 1, releases: 0 }]);
    for (const name of ['acme/widget', 'acme/nobody']) expect(daysOf(await api.get(`${PATH}?repository=${name}`))).toEqual([]);
  });

  it('follows writes at once, and a new day when it begins', async () => {
    const api = await Api.open({ records, approved: { current: () => both } });
    const range = `${PATH}?from=${dateOf(TODAY)}`;
    expect(daysOf(await api.get(range))).toEqual([{ date: dateOf(TODAY), commits: 2, releases: 0 }]);
    await api.store.writer.put([commit('acme/widget', NOW - MINUTE, 9)], context);
    expect(daysOf(await api.get(range))).toEqual([{ date: dateOf(TODAY), commits: 3, releases: 0 }]);
    api.clock.set(TODAY + DAY);
    expect(daysOf(await api.get(range)).map(({ date, commits }) => [date, commits])).toEqual([
      [dateOf(TODAY), 4],
      [dateOf(TODAY + DAY), 0],
    ]);
  });

  it.each([
    [`from=${dateOf(TODAY)}&to=${dateOf(TODAY - DAY)}`, 'INVALID_RANGE', 'from'],
    [`from=${dateOf(TODAY - 366 * DAY)}`, 'INVALID_PARAMETER', 'from'],
    ['from=2020-01-01&to=2021-01-01', 'INVALID_PARAMETER', 'from'],
    ['limit=20', 'UNKNOWN_PARAMETER', 'limit'],
    ['cursor=abc', 'UNKNOWN_PARAMETER', 'cursor'],
  ])('refuses %s', async (query, code, parameter) => {
    const answer = await (await Api.open({ records })).get(`${PATH}?${query}`);
    expect(answer).toMatchObject({ status: 400, json: { code, errors: [{ parameter, code }] } });
  });

  it('takes 366 days', async () => {
    const api = await Api.open({ records });
    expect(daysOf(await api.get(`${PATH}?from=2020-01-01&to=2020-12-31`))).toHaveLength(366);
  });

  it('is unavailable while the store or the allowlist cannot be read, or the last good answer', async () => {
    let isDown = false;
    const api = await Api.open({
      records,
      readers: (readers) => ({
        ...readers,
        activity: { days: (...args) => (isDown ? Promise.reject(new UnavailableError()) : readers.activity.days(...args)) },
      }),
    });
    const good = await api.get(PATH);
    isDown = true;
    expect(await api.get(`${PATH}?from=${dateOf(TODAY)}`)).toMatchObject({ status: 503, json: { code: 'SOURCE_UNAVAILABLE' } });
    await api.store.writer.put([commit('acme/widget', TODAY, 8)], context);
    const stale = await api.get(PATH);
    expect([stale.status, daysOf(stale)]).toEqual([200, daysOf(good)]);
    expect(stale.json).toMatchObject({ meta: { dataStatus: 'stale' } });
  });
});
