import { itInTorture, sampled } from '@vitrine/test-support';
import { FindingsFixture } from '../../../test/git/findings-fixture.js';
import type { PullRequest } from './pull-requests.js';

describe('FindingsSource, of branches whose pull requests were closed without merging', () => {
  let fixture: FindingsFixture;

  beforeEach(async () => {
    fixture = await FindingsFixture.open();
  });

  afterEach(async () => {
    await fixture.close();
  });

  const git = (...args: readonly string[]) => fixture.repository.git(...args);
  /** The forge says this about the branch from now on. */
  const say = (head: string | undefined, ...fates: readonly Partial<PullRequest>[]) => {
    const closedAt = Date.UTC(2025, 0, 1);
    fixture.pullRequests = fates.map((more) => ({ branch: 'topic', head: head ?? '', base: 'main', fate: 'closed', closedAt, ...more }));
  };
  const topic = () => fixture.branch('topic', { 'feat: a': { a: 'a\n' }, 'fix: b': { b: 'b\n' } });
  const both = (state: string) => ({ 'topic:feature': state, 'topic:fix': state });

  it('retracts all that the branch brings, says why, and takes it back when the pull request is open again', async () => {
    const [first, last] = topic();
    expect(await fixture.runStates()).toEqual(both('EXPERIMENTAL high'));
    const before = await fixture.findings();
    say(last, {});
    expect(await fixture.run()).toMatchObject({ stored: 2, removed: 0, warnings: [] });
    expect(await fixture.states()).toEqual(both('RETRACTED high'));
    const { 'topic:feature': feature } = await fixture.findings();
    expect(feature?.summary).toBe(
      'Closed without merging. It came from the branch topic. 1 commit of the type feature: 1 line added, 0 lines removed.',
    );
    expect(feature?.evidence.commitSha).toBe(first);
    expect(await fixture.run()).toMatchObject({ stored: 0, unchanged: 2 });
    say(last, { fate: 'open', closedAt: null });
    expect(await fixture.runStates()).toEqual(both('EXPERIMENTAL high'));
    const { summary, status } = (await fixture.findings())['topic:feature'] ?? {};
    expect([summary, status]).toEqual([before['topic:feature']?.summary, 'EXPERIMENTAL']);
  });

  it('does not retract it while another pull request keeps its commits, or if it was not for the default branch', async () => {
    const [, last] = topic();
    const states: unknown[] = [];
    const kept: readonly (readonly Partial<PullRequest>[])[] = [
      [{}, { fate: 'open', closedAt: null }],
      [{}, { fate: 'merged' }],
      [{}, { fate: 'open', closedAt: null, branch: 'again' }],
      [{}, { fate: 'merged', base: 'next' }],
      [{ base: 'gh-pages' }],
    ];
    for (const fates of sampled(kept, 3)) {
      say(last, ...fates);
      states.push(await fixture.runStates());
    }
    expect(states).toEqual(sampled(kept, 3).map(() => both('EXPERIMENTAL high')));
    say(last, {});
    expect(await fixture.runStates()).toEqual(both('RETRACTED high'));
  });

  it('has one finding about a change that was closed and goes on in another commit, with another type', async () => {
    const [last] = fixture.branch('topic', { 'feat: a': { a: 'a\n' } });
    say(last, {});
    expect(await fixture.runStates()).toEqual({ 'topic:feature': 'RETRACTED high' });
    git('checkout', '--quiet', 'topic');
    git('reset', '--quiet', '--hard', 'main');
    fixture.repository.commit('fix: a', { a: 'a\n' });
    git('checkout', '--quiet', 'main');
    expect(await fixture.runStates()).toEqual({ 'topic:fix': 'EXPERIMENTAL high' });
  });

  itInTorture('does not retract a branch that goes on, that begins again, or that has the same commits and no pull request', async () => {
    const [, last] = topic();
    git('branch', 'copy', 'topic');
    say(last, {});
    const copy = { 'copy:feature': 'EXPERIMENTAL high', 'copy:fix': 'EXPERIMENTAL high' };
    expect(await fixture.runStates()).toEqual({ ...copy, ...both('RETRACTED high') });
    git('checkout', '--quiet', 'topic');
    fixture.repository.commit('docs: c', { c: 'c\n' });
    git('checkout', '--quiet', 'main');
    expect(await fixture.runStates()).toEqual({ ...copy, ...both('EXPERIMENTAL high'), 'topic:docs': 'EXPERIMENTAL high' });
    git('branch', '--force', 'topic', 'main');
    expect(await fixture.runStates()).toMatchObject(both('EXPERIMENTAL low'));
  });

  itInTorture('does not believe that commits were closed which are newer than that, as where a forge names the present head', async () => {
    topic();
    const newest = git('log', '-1', '--format=%ct', 'topic');
    say(git('rev-parse', 'topic'), { closedAt: Number(newest) * 1_000 - 120_000 });
    expect(await fixture.runStates()).toEqual(both('EXPERIMENTAL high'));
    say(git('rev-parse', 'topic'), { closedAt: Number(newest) * 1_000 - 30_000 });
    expect(await fixture.runStates()).toEqual(both('RETRACTED high'));
    say(git('rev-parse', 'topic'), { closedAt: null });
    expect(await fixture.runStates()).toEqual(both('RETRACTED high'));
  });

  itInTorture('keeps it retracted after the branch is gone, also when nothing is known of pull requests any more', async () => {
    const [, last] = topic();
    fixture.branch('stays', { 'test: c': { c: 'c\n' } });
    say(last, {}, { branch: 'stays', head: git('rev-parse', 'stays') });
    expect(await fixture.runStates()).toEqual({ ...both('RETRACTED high'), 'stays:tests': 'RETRACTED high' });
    git('branch', '-D', 'topic');
    expect(await fixture.run()).toMatchObject({ stored: 0, removed: 0 });
    const before = await fixture.findings();
    say(last);
    expect(await fixture.runStates()).toEqual({ ...both('RETRACTED high'), 'stays:tests': 'EXPERIMENTAL high' });
    expect((await fixture.findings())['topic:fix']).toEqual(before['topic:fix']);
  });

  it.each(
    sampled(
      [
        ['is gone', ['-D', 'topic']],
        ['was begun again', ['--force', 'topic', 'main']],
      ],
      3,
    ),
  )('retracts it when the forge tells only after the branch %s', async (_, change) => {
    const [, last] = topic();
    await fixture.run();
    git('branch', ...change);
    expect(await fixture.runStates()).toEqual(both('EXPERIMENTAL low'));
    say(last, {});
    expect(await fixture.runStates()).toEqual(both('RETRACTED high'));
  });

  it.each(
    sampled(
      [
        ['was merged all the same', () => fixture.repository.merge('topic', 'Merge topic'), 'CONFIRMED high'],
        ['was applied as one commit', () => fixture.repository.merge('topic', 'feat: topic', true), 'CONFIRMED medium'],
        ['was released from the branch', () => git('tag', 'v1', 'topic'), 'RELEASED high'],
      ],
      3,
    ),
  )('lets the history decide about a branch that %s', async (_, act, state) => {
    const [, last] = topic();
    say(last, {});
    await fixture.run();
    act();
    expect(await fixture.runStates()).toEqual(both(state));
  });

  itInTorture('says the same in every store and after every way there', async () => {
    const [, last] = topic();
    say(last, {}, { closedAt: Date.UTC(2025, 1, 1) });
    await fixture.run();
    const direct = await fixture.findings();
    await fixture.useEmptyStore();
    say(last, { fate: 'open', closedAt: null });
    await fixture.run();
    say(last, { closedAt: null }, { branch: 'other', fate: 'merged', head: 'a'.repeat(40) });
    await fixture.run();
    const withoutTime = (found: typeof direct) =>
      Object.values(found).map(({ provenance: { observedAt: _, ...provenance }, ...finding }) => ({ ...finding, provenance }));
    expect(withoutTime(await fixture.findings())).toEqual(withoutTime(direct));
  });
});
