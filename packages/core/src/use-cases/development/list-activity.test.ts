import {
  Allowlist,
  DAY,
  EARLIEST_INSTANT,
  HOUR,
  InvalidInputError,
  MINUTE,
  startOfDay,
  type ListActivityInput,
  type StoredRecord,
} from '@vitrine/core';
import { aCommit, aRelease, aSync, NOW, StandingClock } from '@vitrine/core/testing';
import { context, fakeReaders } from '../../../test/fake-readers.js';
import { useCasesOver, widgetOnly } from '../../../test/fake-use-cases.js';

const TODAY = startOfDay(NOW);
const everything: ListActivityInput = { repository: null, from: null, to: null };

function activityOver(records: readonly StoredRecord[], now = NOW) {
  const readers = fakeReaders(records);
  const { listActivity } = useCasesOver(readers, new StandingClock(now));
  const list = (over: Partial<ListActivityInput> = {}, asked = widgetOnly) => listActivity.execute({ ...everything, ...over }, asked);
  return { list, calls: readers.calls };
}

describe('activity', () => {
  it('lists the last 365 days, oldest first, also those without records', async () => {
    const { data } = await activityOver([aCommit({ committedAt: TODAY }), aRelease({ publishedAt: TODAY - 364 * DAY })]).list();
    expect(data.map(({ day }) => day)).toEqual(Array.from({ length: 365 }, (_, index) => TODAY - (364 - index) * DAY));
    expect(data.filter(({ commits, releases }) => commits + releases > 0)).toEqual([
      { day: TODAY - 364 * DAY, commits: 0, releases: 1 },
      { day: TODAY, commits: 1, releases: 0 },
    ]);
  });

  it('ends with the present day and counts no record of the future, except for clocks that differ', async () => {
    const times = [NOW, NOW + 5 * MINUTE, NOW + 5 * MINUTE + 1, NOW + HOUR, TODAY + DAY];
    const commits = times.map((committedAt, index) => aCommit({ committedAt, sha: String(index).repeat(40) }));
    const { data } = await activityOver(commits).list({ from: TODAY - DAY, to: TODAY + 9 * DAY });
    expect(data).toEqual([
      { day: TODAY - DAY, commits: 0, releases: 0 },
      { day: TODAY, commits: 2, releases: 0 },
    ]);
  });

  it('lists whole days, whatever moments of them are named', async () => {
    const commits = [TODAY - 3 * DAY, TODAY - DAY - 1].map((committedAt, index) => aCommit({ committedAt, sha: String(index).repeat(40) }));
    const { data } = await activityOver(commits).list({ from: TODAY - 3 * DAY + HOUR, to: TODAY - 2 * DAY + HOUR });
    expect(data.map(({ commits: count }) => count)).toEqual([1, 1]);
  });

  it('is empty for a span that has not begun', async () => {
    expect((await activityOver([aCommit()]).list({ from: TODAY + 2 * DAY })).data).toEqual([]);
  });

  it('lists no day before the year 0', async () => {
    expect((await activityOver([]).list({ to: EARLIEST_INSTANT + DAY })).data.map(({ day }) => day)).toEqual([
      EARLIEST_INSTANT,
      EARLIEST_INSTANT + DAY,
    ]);
  });

  it('is the same for a repository that is not approved as for one that does not exist, and reads nothing', async () => {
    const { list, calls } = activityOver([aCommit({ repositoryRef: 'acme/secret' })]);
    expect(await list({ repository: 'acme/secret' })).toEqual(await list({ repository: 'acme/nothing' }));
    expect((await list({ repository: 'acme/secret' })).data).toEqual([]);
    expect(calls).not.toContain('activity.days');
  });

  it('keeps to one repository by its name in any case', async () => {
    const both = { ...context, approved: Allowlist.of('acme/widget', 'acme/gadget').approved() };
    const { list } = activityOver([aCommit({ committedAt: TODAY }), aCommit({ committedAt: TODAY, repositoryRef: 'acme/gadget' })]);
    const newest = async (repository: string | null) => (await list({ repository }, both)).data.at(-1)?.commits;
    expect([await newest(null), await newest('ACME/Gadget')]).toEqual([2, 1]);
  });

  it('takes 366 days at most', async () => {
    const { list } = activityOver([]);
    expect((await list({ from: TODAY - 365 * DAY })).data).toHaveLength(366);
    await expect(list({ from: TODAY - 366 * DAY })).rejects.toThrow(InvalidInputError);
    await expect(list({ from: TODAY - 366 * DAY, to: TODAY + DAY })).rejects.toThrow(InvalidInputError);
  });

  it('is as fresh as the sources of commits, and of releases if any are counted or collected', async () => {
    const own = { repositoryRef: 'acme/widget', lastSuccessAt: NOW, lastAttemptAt: NOW, intervalMs: HOUR } as const;
    const sources = [aSync({ ...own, id: 'git:acme/widget', feeds: ['commit'] })];
    expect((await activityOver([...sources, aCommit()]).list()).dataStatus).toBe('fresh');
    expect((await activityOver([...sources, aRelease()]).list()).dataStatus).toBe('unknown');
    const late = aSync({ ...own, id: 'github:acme/widget', feeds: ['release'], lastSuccessAt: NOW - 3 * HOUR });
    expect((await activityOver([...sources, late]).list()).dataStatus).toBe('stale');
  });

  it('changes when a UTC day begins, unless the span has ended', async () => {
    const { list } = activityOver([]);
    expect((await list()).changesAt).toBe(TODAY + DAY);
    expect((await list({ to: TODAY + 9 * DAY })).changesAt).toBe(TODAY + DAY);
    expect((await list({ to: TODAY })).changesAt).toBeNull();
  });
});
