import { itInTorture } from '@vitrine/test-support';
import { FindingsFixture } from '../../../test/git/findings-fixture.js';

describe('FindingsSource', () => {
  let fixture: FindingsFixture;

  beforeEach(async () => {
    fixture = await FindingsFixture.open();
  });

  afterEach(async () => {
    await fixture.close();
  });

  const git = (...args: readonly string[]) => fixture.repository.git(...args);

  it('makes one finding for each branch and change type, with its evidence', async () => {
    const [, second, third] = fixture.branch('topic/a', {
      'feat: a\n\nSeen by ada@example.org': { 'src/a.ts': 'a\nb\n' },
      'feat: b': { 'src/b.ts': 'b\n', 'start.ts': null },
      'test: a': { 'src/a.test.ts': 'a\n' },
    });
    expect(await fixture.run()).toEqual({ stored: 2, unchanged: 0, removed: 0, warnings: [] });
    const page = (sha: string | undefined) => `https://git.example.org/Acme/Widget/commit/${String(sha)}`;
    const provenance = {
      source: 'Acme git',
      sourceKind: 'service-interpretation',
      observedAt: fixture.now,
      confidence: 'high',
      isOfficialSource: false,
    };
    const shared = { kind: 'finding', repositoryRef: 'acme/widget', status: 'EXPERIMENTAL' };
    expect(await fixture.findings()).toEqual({
      'topic/a:feature': {
        ...shared,
        id: 'Acme/Widget@topic/a:feature',
        title: 'feat: b (and 1 more)',
        summary: 'Only on the branch topic/a. 2 commits of the type feature: 3 lines added, 1 line removed.',
        changeType: 'feature',
        evidence: { branch: 'topic/a', additions: 3, deletions: 1, files: ['src/a.ts', 'src/b.ts', 'start.ts'] },
        detectedAt: 1_700_000_180_000,
        sourceUrl: page(second),
        provenance: { ...provenance, sourceUrl: page(second) },
      },
      'topic/a:tests': {
        ...shared,
        id: 'Acme/Widget@topic/a:tests',
        title: 'test: a',
        summary: 'Only on the branch topic/a. 1 commit of the type tests: 1 line added, 0 lines removed.',
        changeType: 'tests',
        evidence: { branch: 'topic/a', additions: 1, deletions: 0, files: ['src/a.test.ts'], commitSha: third },
        detectedAt: 1_700_000_240_000,
        sourceUrl: page(third),
        provenance: { ...provenance, sourceUrl: page(third) },
      },
    });
  });

  it('confirms what was merged, and releases what a tag contains', async () => {
    fixture.branch('topic', { 'feat: a': { a: 'a\n' }, 'fix: a': { a: 'b\n' } });
    await fixture.run();
    fixture.repository.commit('docs: more', { 'README.md': 'x\n' });
    fixture.repository.merge('topic', 'Merge topic');
    expect(await fixture.runStates()).toEqual({ 'topic:feature': 'CONFIRMED high', 'topic:fix': 'CONFIRMED high' });
    git('branch', '-D', 'topic');
    git('tag', 'v1.0.0');
    expect(await fixture.runStates()).toEqual({ 'topic:feature': 'RELEASED high', 'topic:fix': 'RELEASED high' });
    const releasedAt = fixture.now;
    git('tag', 'v1.0.1');
    expect(await fixture.run()).toMatchObject({ stored: 0, removed: 0 });
    const { 'topic:fix': fix } = await fixture.findings();
    // A state is observed when it is found, not when the branch was first seen.
    expect(fix?.provenance.observedAt).toBe(releasedAt);
    expect(fix?.summary).toBe('Released with v1.0.0, from the branch topic. 1 commit of the type fix: 1 line added, 1 line removed.');
  });

  it('releases what a tag on a branch contains', async () => {
    fixture.branch('1.x', { 'fix: old': { a: 'a\n' } });
    git('tag', 'v1.0.1', '1.x');
    expect(await fixture.runStates()).toEqual({ '1.x:fix': 'RELEASED high' });
  });

  it('confirms a branch that was merged as one commit, also after it was deleted', async () => {
    fixture.branch('topic', { 'feat: a': { a: 'a\n' }, 'fix: a': { a: 'a\nb\n', b: 'b\n' } });
    await fixture.run();
    fixture.repository.commit('chore: between', { c: 'c\n' });
    const squash = fixture.repository.merge('topic', 'feat: topic (#1)', true);
    git('branch', '-D', 'topic');
    expect(await fixture.runStates()).toEqual({ 'topic:feature': 'CONFIRMED medium', 'topic:fix': 'CONFIRMED medium' });
    const { 'topic:feature': feature } = await fixture.findings();
    expect(feature?.evidence.commitSha).toBe(squash);
    expect(feature?.sourceUrl).toBe(`https://git.example.org/Acme/Widget/commit/${squash}`);
    expect(feature?.summary).toMatch(/^main has the same change as the branch topic\. /);
    git('tag', 'v1');
    expect(await fixture.runStates()).toEqual({ 'topic:feature': 'RELEASED medium', 'topic:fix': 'RELEASED medium' });
  });

  itInTorture('confirms a branch whose commits were applied again, as by a rebase, while it exists and after it was deleted', async () => {
    fixture.branch('one', { 'feat: a': { a: 'a\n' }, 'feat: b': { b: 'b\n' } });
    fixture.branch('two', { 'fix: c': { c: 'c\n' } });
    await fixture.run();
    fixture.repository.commit('chore: between', { d: 'd\n' });
    git('cherry-pick', 'one~1', 'one', 'two');
    git('branch', '-D', 'one');
    expect(await fixture.runStates()).toEqual({ 'one:feature': 'CONFIRMED medium', 'two:fix': 'CONFIRMED medium' });
  });

  itInTorture('leaves a finding as it was if its branch is gone and nothing shows what became of it, until something does', async () => {
    const [sha = ''] = fixture.branch('topic', { 'feat: a': { a: 'a\n' } });
    await fixture.run();
    git('branch', '-D', 'topic');
    expect(await fixture.runStates()).toEqual({ 'topic:feature': 'EXPERIMENTAL low' });
    fixture.repository.commit('chore: between', { b: 'b\n' });
    git('cherry-pick', sha);
    expect(await fixture.runStates()).toEqual({ 'topic:feature': 'CONFIRMED medium' });
  });

  itInTorture('does not take an older commit with the same change for the merge of a branch', async () => {
    fixture.repository.commit('feat: a', { a: 'a\n' });
    fixture.repository.commit('chore: without a', { a: null });
    fixture.branch('again', { 'feat: a once more': { a: 'a\n' } });
    expect(await fixture.runStates()).toEqual({ 'again:feature': 'EXPERIMENTAL high' });
  });

  itInTorture('tells different changes of a binary file apart', async () => {
    fixture.branch('topic', { 'feat: logo': { 'logo.png': 'a\0b' } });
    fixture.repository.commit('feat: another logo', { 'logo.png': 'a\0c' });
    expect(await fixture.runStates()).toEqual({ 'topic:feature': 'EXPERIMENTAL high' });
  });

  it('retracts what a revert names, and takes it back when the revert is reverted', async () => {
    const [sha = ''] = fixture.branch('topic', { 'feat: a': { a: 'a\n' } });
    fixture.branch('other', { 'fix: b': { b: 'b\n' } });
    await fixture.run();
    git('reset', '--quiet', '--hard', 'topic');
    const merge = fixture.repository.merge('other', 'Merge other');
    git('branch', '-D', 'topic');
    const revert = fixture.repository.commit(`Revert "feat: a"\n\nThis reverts commit ${sha}.`, { a: null });
    expect(await fixture.runStates()).toEqual({ 'topic:feature': 'RETRACTED high', 'other:fix': 'CONFIRMED high' });
    fixture.repository.commit(`Revert "Merge other"\n\nThis reverts commit ${merge}, reversing\nchanges made to ${sha}.`, { b: null });
    expect(await fixture.runStates()).toEqual({ 'topic:feature': 'RETRACTED high', 'other:fix': 'RETRACTED high' });
    fixture.repository.commit(`Revert "Revert "feat: a""\n\nThis reverts commit ${revert}.`, { a: 'a\n' });
    expect(await fixture.runStates()).toEqual({ 'topic:feature': 'CONFIRMED high', 'other:fix': 'RETRACTED high' });
  });

  it('retracts what the branch itself reverts', async () => {
    fixture.branch('topic', { 'feat: a': { a: 'a\n' } });
    git('checkout', '--quiet', 'topic');
    git('revert', '--no-edit', 'HEAD');
    git('checkout', '--quiet', 'main');
    expect(await fixture.runStates()).toEqual({ 'topic:feature': 'RETRACTED high', 'topic:revert': 'EXPERIMENTAL high' });
    git('branch', '-D', 'topic');
    expect(await fixture.runStates()).toEqual({ 'topic:feature': 'RETRACTED high', 'topic:revert': 'EXPERIMENTAL low' });
  });

  itInTorture('keeps the finding of a branch that was rewritten, and forgets the one whose commits have another type now', async () => {
    const [sha = ''] = fixture.branch('topic', { 'wip: a': { a: 'a\n' } });
    expect(await fixture.runStates()).toEqual({ 'topic:other': 'EXPERIMENTAL high' });
    const amend = (message: string) => {
      git('checkout', '--quiet', 'topic');
      git('commit', '--quiet', '--amend', '-m', message);
      git('checkout', '--quiet', 'main');
    };
    amend('feat: a');
    expect(await fixture.runStates()).toEqual({ 'topic:feature': 'EXPERIMENTAL high' });
    amend('feat: better');
    await fixture.run();
    const { 'topic:feature': feature } = await fixture.findings();
    expect(feature?.title).toBe('feat: better');
    expect(feature?.evidence.commitSha).not.toBe(sha);
    git('branch', '--force', 'topic', 'main');
    expect(await fixture.runStates()).toEqual({ 'topic:feature': 'EXPERIMENTAL low' });
  });

  it('counts no merge of the default branch into a branch', async () => {
    fixture.branch('topic', { 'feat: a': { a: 'a\n' } });
    fixture.repository.commit('feat: much', { b: 'b\n'.repeat(100) });
    git('checkout', '--quiet', 'topic');
    fixture.repository.merge('main', 'Merge main');
    git('checkout', '--quiet', 'main');
    await fixture.run();
    const { 'topic:feature': feature } = await fixture.findings();
    expect(feature?.evidence).toMatchObject({ additions: 1, files: ['a'] });
    fixture.repository.merge('topic', 'feat: a (#1)', true);
    git('branch', '-D', 'topic');
    expect(await fixture.runStates()).toEqual({ 'topic:feature': 'CONFIRMED medium' });
  });
});
