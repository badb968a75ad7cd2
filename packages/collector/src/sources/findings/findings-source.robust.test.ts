import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StoredRecord } from '@vitrine/core';
import { itInTorture } from '@vitrine/test-support';
import { FindingsFixture } from '../../../test/git/findings-fixture.js';
import { GitError } from '../git/git-process.js';
import { wrappedWriter } from '../../running/vouching.js';

describe('FindingsSource, whatever happens', () => {
  let fixture: FindingsFixture;

  beforeEach(async () => {
    fixture = await FindingsFixture.open();
  });

  afterEach(async () => {
    await fixture.close();
  });

  const git = (...args: readonly string[]) => fixture.repository.git(...args);

  it('finds the same in an empty store, with what it has read before and in a new process', async () => {
    const source = fixture.source();
    fixture.branch('a', { 'feat: a': { a: 'a\n' }, 'feat: b': { b: 'b\n' } });
    await fixture.run(source);
    fixture.branch('b', { 'fix: c': { c: 'c\n' } });
    fixture.repository.commit('docs: d', { 'd.md': 'd\n' });
    await fixture.run(source);
    fixture.repository.merge('b', 'fix: c', true);
    await fixture.run(source);
    const expected = await fixture.states();
    const texts = async () =>
      Object.values(await fixture.findings()).map(({ title, summary, detectedAt, evidence }) => ({ title, summary, detectedAt, evidence }));
    const before = await texts();
    for (const same of [source, fixture.source()]) {
      await fixture.useEmptyStore();
      expect(await fixture.runStates(same)).toEqual(expected);
      expect(await texts()).toEqual(before);
    }
    expect(expected).toEqual({ 'a:feature': 'EXPERIMENTAL high', 'b:fix': 'CONFIRMED medium' });
  });

  itInTorture('makes all records again if the public address changes', async () => {
    const [sha = ''] = fixture.branch('a', { 'feat: a': { a: 'a\n' } });
    await fixture.run();
    expect(await fixture.run(fixture.source({ url: 'https://gitlab.example.org/a/b' }))).toMatchObject({ stored: 1 });
    const { 'a:feature': feature } = await fixture.findings();
    expect(feature?.sourceUrl).toBe(`https://gitlab.example.org/a/b/-/commit/${sha}`);
  });

  it.each(['git version 2.38.5', 'git version 2.9.1', 'git version of tomorrow'])(
    'refuses a git that may give different changes the same patch id: %s',
    async (version) => {
      const folder = fixture.files.path('old');
      mkdirSync(folder);
      const program = `#!/bin/sh\ncase " $* " in *" version "*) echo "${version}" ;; *) PATH="$REAL" exec git "$@" ;; esac\n`;
      writeFileSync(join(folder, 'git'), program, { mode: 0o755 });
      const environment = { PATH: `${folder}:${String(process.env['PATH'])}`, REAL: process.env['PATH'] };
      await expect(fixture.run(fixture.source({ environment }))).rejects.toThrow(
        new GitError(`findings need git 2.39 or later, but this is ${version}: update git, or remove findings: true`),
      );
    },
  );

  it('knows the commits of a branch that is gone when a run goes on that was killed', async () => {
    fixture.branch('topic', { 'feat: a': { a: 'a\n' }, 'feat: b': { b: 'b\n' } });
    const { writer } = fixture.store;
    const isLast = (records: readonly StoredRecord[]) => records.some((record) => record.kind === 'sync' && record.lastSuccessAt !== null);
    const killed = {
      ...wrappedWriter(writer),
      put: (...call: Parameters<typeof writer.put>) => (isLast(call[0]) ? Promise.reject(new Error('killed')) : writer.put(...call)),
    };
    await expect(fixture.run(fixture.source(), killed)).rejects.toThrow('killed');
    fixture.repository.commit('chore: between', { c: 'c\n' });
    fixture.repository.commit('feat: a again', { a: 'a\n' });
    fixture.repository.commit('feat: b again', { b: 'b\n' });
    git('branch', '-D', 'topic');
    expect(await fixture.runStates()).toEqual({ 'topic:feature': 'CONFIRMED medium' });
  });

  itInTorture('still says what became of findings whose commits it has forgotten', async () => {
    fixture.branch('one', { 'feat: a': { a: 'a\n' } });
    fixture.branch('two', { 'fix: b': { b: 'b\n' }, 'fix: c': { c: 'c\n' } });
    fixture.branch('three', { 'fix: d': { d: 'd\n' } });
    git('merge', '--quiet', '-m', 'Merge two', 'two');
    await fixture.run();
    expect(await fixture.states()).toEqual({ 'one:feature': 'EXPERIMENTAL high', 'three:fix': 'EXPERIMENTAL high' });
    git('merge', '--quiet', '-m', 'Merge one', 'one');
    git('branch', '-D', 'one', 'three');
    const sync = await fixture.store.collection.sync('finding:acme/widget', { signal: new AbortController().signal });
    if (sync === null) throw new Error('expected a sync record');
    await fixture.store.writer.put([{ ...sync, state: 'not its own' }], { signal: new AbortController().signal });
    expect(await fixture.runStates()).toEqual({ 'one:feature': 'CONFIRMED high', 'three:fix': 'EXPERIMENTAL low' });
  });

  it('shows nothing of branches that the configuration hides, also of those that are gone', async () => {
    fixture.branch('public', { 'feat: a': { a: 'a\n' } });
    fixture.branch('secret', { 'feat: b': { b: 'b\n' } });
    fixture.branch('old-secret', { 'feat: c': { c: 'c\n' } });
    await fixture.run();
    git('branch', '-D', 'old-secret');
    expect(Object.keys(await fixture.runStates())).toHaveLength(3);
    expect(await fixture.runStates(fixture.source({ branches: ['main', 'public'] }))).toEqual({ 'public:feature': 'EXPERIMENTAL high' });
    await fixture.runStates();
    // Of several branches without a usual name, none is the default one.
    git('branch', 'p2', 'main');
    const { removed, warnings } = await fixture.run(fixture.source({ branches: ['p*', 'o*'] }));
    expect({ removed, warnings }).toEqual({ removed: 1, warnings: [expect.stringContaining('the default branch is unknown or not shown')] });
    expect(Object.keys(await fixture.states())).toEqual(['public:feature']);
  });

  it('publishes no email address and no secret of a hostile commit', async () => {
    const long = `feat: ${'x'.repeat(10_000)}`;
    fixture.branch('odd/"<b>$(touch)`;\'é', { [long]: { 'ada@example.org/\u202e\n.ts': 'a\n' } });
    fixture.branch('for-ada@example.org', { 'feat: b': { b: 'b\n' } });
    const { warnings } = await fixture.run();
    expect(warnings).toEqual(['finding acme/widget: branches without findings, because their names contain an email address: 1']);
    const found = Object.values(await fixture.findings());
    expect(found).toHaveLength(1);
    expect(found[0]?.title).toHaveLength(1_000);
    expect(found[0]?.id.length).toBeLessThanOrEqual(200);
    expect(JSON.stringify(found)).not.toContain('ada@');
  });

  itInTorture('reads root commits, unrelated histories, tags of other objects and odd commits', async () => {
    git('checkout', '--quiet', '--orphan', 'pages');
    fixture.repository.commit('docs: pages', { 'index.md': 'x\n' });
    git('checkout', '--quiet', '--force', 'main');
    git('tag', 'blob', git('hash-object', '-w', 'start.ts'));
    git('tag', '-m', 'x', 'annotated', 'pages');
    fixture.repository.oddCommit('odd', 'author A <a@b.c> 99999999999999999999 +0000\ncommitter A <a@b.c> x +0000\n\nfeat: undated\n');
    expect(await fixture.runStates()).toEqual({ 'pages:docs': 'RELEASED high', 'odd:feature': 'EXPERIMENTAL high' });
  });

  it('says nothing of branches if the default branch is gone, also not of one that is gone too, and keeps what is stored', async () => {
    fixture.branch('one', { 'feat: a': { a: 'a\n' } });
    fixture.branch('two', { 'feat: b': { b: 'b\n' } });
    fixture.branch('three', { 'feat: c': { c: 'c\n' } });
    await fixture.run();
    const before = await fixture.findings();
    git('checkout', '--quiet', 'one');
    git('branch', '-D', 'main', 'three');
    git('checkout', '--quiet', '--detach');
    const { warnings } = await fixture.run();
    expect(warnings).toEqual([expect.stringContaining('the default branch is unknown or not shown')]);
    expect(await fixture.findings()).toEqual(before);
  });

  it('follows a default branch that was rewritten', async () => {
    const [sha = ''] = fixture.branch('topic', { 'feat: a': { a: 'a\n' } });
    await fixture.run();
    git('reset', '--quiet', '--hard', 'topic');
    git('branch', '-D', 'topic');
    expect(await fixture.runStates()).toEqual({ 'topic:feature': 'CONFIRMED high' });
    git('reset', '--quiet', '--hard', 'HEAD~1');
    expect(await fixture.runStates()).toEqual({ 'topic:feature': 'CONFIRMED low' });
    git('branch', 'topic', sha);
    expect(await fixture.runStates()).toEqual({ 'topic:feature': 'EXPERIMENTAL high' });
  });

  itInTorture('makes no findings of branches that begin before the end of a shallow clone', async () => {
    fixture.branch('old', { 'feat: a': { a: 'a\n' } });
    for (const name of ['b', 'c', 'd']) fixture.repository.commit(`feat: ${name}`, { [name]: name });
    fixture.branch('new', { 'fix: e': { e: 'e\n' } });
    const shallow = fixture.files.path('shallow.git');
    git('clone', '--quiet', '--bare', '--depth=2', '--no-single-branch', `file://${fixture.repository.path}`, shallow);
    const { warnings } = await fixture.run(fixture.source({ location: shallow }));
    expect(warnings).toEqual([expect.stringContaining('the clone is shallow and ends before they begin')]);
    expect(await fixture.states()).toEqual({ 'new:fix': 'EXPERIMENTAL high' });
  });

  it('leaves everything stored as it was if a commit is missing', async () => {
    const [sha = ''] = fixture.branch('topic', { 'feat: a': { a: 'a\n' } });
    await fixture.run();
    const before = await fixture.findings();
    writeFileSync(join(fixture.repository.path, '.git/refs/heads/broken'), `${'1'.repeat(40)}\n`);
    await expect(fixture.run()).rejects.toThrow(GitError);
    rmSync(join(fixture.repository.path, '.git/refs/heads/broken'));
    rmSync(join(fixture.repository.path, '.git/objects', sha.slice(0, 2), sha.slice(2)));
    fixture.repository.commit('chore: more', { b: 'b\n' });
    await expect(fixture.run(fixture.source())).rejects.toThrow(GitError);
    expect(await fixture.findings()).toEqual(before);
  });

  it('goes on if the repository was created again with objects of another format', async () => {
    fixture.branch('topic', { 'feat: a': { a: 'a\n' } });
    await fixture.run();
    rmSync(fixture.repository.path, { recursive: true });
    const other = fixture.files.repository('widget', '--object-format=sha256');
    other.commit('feat: start', { 'start.ts': 'start\n' });
    other.commitOn('next', { 'fix: b': { b: 'b\n' } });
    expect(await fixture.runStates()).toEqual({ 'next:fix': 'EXPERIMENTAL high', 'topic:feature': 'EXPERIMENTAL low' });
  });

  it('reads the clone of a git source, as its last run has left it', async () => {
    const address = `file://${fixture.repository.path}`;
    const source = fixture.source({ location: address });
    await expect(fixture.run(source)).rejects.toThrow('acme/widget has not been cloned yet; its git source has to be collected first');
    const clone = () => fixture.files.run(fixture.files.source(address));
    fixture.branch('topic', { 'feat: a': { a: 'a\n' } });
    await clone();
    expect(await fixture.runStates(source)).toEqual({ 'topic:feature': 'EXPERIMENTAL high' });
    git('reset', '--quiet', '--hard', 'topic');
    expect(await fixture.runStates(source)).toEqual({ 'topic:feature': 'EXPERIMENTAL high' });
    await clone();
    expect(await fixture.runStates(source)).toEqual({ 'topic:feature': 'CONFIRMED high' });
  });
});
