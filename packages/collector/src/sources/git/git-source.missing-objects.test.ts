import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { itInTorture, sampled } from '@vitrine/test-support';
import { GitFixture } from '../../../test/git/git-fixture.js';
import type { TemporaryRepository } from '../../../test/git/temporary-repository.js';

const GAP = { additions: 0, deletions: 0, filesChanged: 0, changedPaths: [], provenance: { confidence: 'low' } };
const WARNING =
  /^git acme\/widget: objects are missing, so (\d+) commits? (?:has|have) no count of changes; restore them, for example with git fetch/;

describe('GitSource with missing objects', () => {
  let fixture: GitFixture;
  let repository: TemporaryRepository;
  let shas: readonly string[];

  beforeEach(() => {
    fixture = new GitFixture();
    repository = fixture.repository();
    shas = Array.from({ length: 6 }, (_, index) =>
      repository.commit(`commit ${String(index)}`, { [`dir/${String(index)}`]: 'one\ntwo\n', changed: `${String(index)}\n` }),
    );
  });

  afterEach(() => {
    fixture.folder.remove();
  });

  const objectOf = (name: string, gitDir = join(repository.path, '.git')): string => {
    const id = repository.git('rev-parse', name);
    return join(gitDir, 'objects', id.slice(0, 2), id.slice(2));
  };
  /** For each commit, oldest first, whether its changes are known. */
  const isKnown = () => shas.map((sha) => fixture.commit(sha).provenance.confidence === 'high');
  const gapsIn = (warnings: readonly string[]) => {
    expect(warnings).toHaveLength(1);
    return Number(WARNING.exec(warnings[0] ?? '')?.[1]);
  };

  it.each(
    sampled(
      [
        ['file', 'HEAD~3:changed', [true, true, false, false, true, true]],
        ['folder', 'HEAD~3:dir', [true, true, false, false, true, true]],
        ['top folder', 'HEAD~3^{tree}', [true, true, false, false, true, true]],
        ['first file', 'HEAD~5:changed', [false, false, true, true, true, true]],
        ['last file', 'HEAD:changed', [true, true, true, true, true, false]],
      ],
      3,
    ),
  )('stores every commit if a %s is missing, without the changes that need it', async (_what, name, known) => {
    rmSync(objectOf(name));
    const { warnings, stored } = await fixture.run(fixture.source(repository.path));
    expect(stored).toBe(6);
    expect(gapsIn(warnings)).toBe(known.filter((one) => !one).length);
    expect(isKnown()).toEqual(known);
    const gap = shas.findIndex((_sha, index) => known[index] === false);
    expect(fixture.commit(shas[gap] ?? '')).toMatchObject({ title: `commit ${String(gap)}`, authorName: 'Ada', branch: 'main', ...GAP });
    const whole = shas.findLastIndex((_sha, index) => index > 0 && known[index] === true);
    expect(fixture.commit(shas[whole] ?? '')).toMatchObject({ additions: 3, deletions: 1, filesChanged: 2 });
  });

  itInTorture('stores every commit if several objects are missing in different places', async () => {
    for (const name of ['HEAD~5:changed', 'HEAD~3^{tree}', 'HEAD:changed']) rmSync(objectOf(name));
    const { warnings } = await fixture.run(fixture.source(repository.path));
    expect(gapsIn(warnings)).toBe(5);
    expect(isKnown()).toEqual([false, false, false, false, true, false]);
  });

  it('stores a commit whose file is damaged without its changes', async () => {
    const damaged = objectOf('HEAD~1:changed');
    rmSync(damaged);
    cpSync(objectOf('HEAD~2:changed'), damaged);
    await fixture.run(fixture.source(repository.path));
    expect(isKnown().slice(0, 4)).toEqual([true, true, true, true]);
    expect(fixture.store.commits()).toHaveLength(6);
  });

  it.each(sampled(['blob:none', 'tree:0'], 3))('stores every commit of a partial clone (%s) and fetches nothing into it', async (filter) => {
    repository.commit('mailmap', { '.mailmap': 'Ada Example <ada@example.org>\n' });
    repository.git('config', 'uploadpack.allowFilter', 'true');
    const partial = fixture.path('partial.git');
    repository.git('clone', '--quiet', '--bare', `--filter=${filter}`, `file://${repository.path}`, partial);
    const missing = () => repository.git(`--git-dir=${partial}`, 'rev-list', '--objects', '--all', '--missing=print').match(/^\?/gm)?.length;
    const before = missing();
    const { warnings } = await fixture.run(fixture.source(partial));
    expect(gapsIn(warnings)).toBe(7);
    expect(fixture.store.commits()).toHaveLength(7);
    expect(fixture.commit(shas[2] ?? '')).toMatchObject({ title: 'commit 2', ...GAP });
    expect(missing()).toBe(before);
  });

  itInTorture('starts no git for each commit that lacks objects', async () => {
    for (let index = 0; index < 40; index++) repository.commit('more', { changed: `more ${String(index)}\n` });
    repository.git('config', 'uploadpack.allowFilter', 'true');
    const partial = fixture.path('partial.git');
    repository.git('clone', '--quiet', '--bare', '--filter=blob:none', `file://${repository.path}`, partial);
    const { environment } = fixture.options(partial);
    const [counting, calls] = [fixture.path('bin'), fixture.path('calls')];
    mkdirSync(counting);
    const own = { PATH: `${counting}:${String(environment['PATH'])}` };
    writeFileSync(join(counting, 'git'), `#!/bin/sh\necho "$*" >> '${calls}'\nPATH="\${PATH#*:}" exec git "$@"\n`, { mode: 0o755 });
    const { warnings } = await fixture.run(fixture.source(partial, { environment: { ...environment, ...own } }));
    expect(gapsIn(warnings)).toBe(46);
    expect(readFileSync(calls, 'utf8').split('\n').length).toBeLessThan(40);
  });

  itInTorture('reads names unchanged if the content of .mailmap is missing', async () => {
    repository.commit('mailmap', { '.mailmap': 'Ada Example <ada@example.org>\n' });
    rmSync(objectOf('HEAD:.mailmap'));
    await fixture.run(fixture.source(repository.path));
    expect(fixture.commit(shas[0] ?? '')).toMatchObject({ authorName: 'Ada', additions: 3 });
  });

  it('repeats the warning while objects are missing, and stores every change when they are back', async () => {
    const object = objectOf('HEAD~3:changed');
    renameSync(object, fixture.path('away'));
    const source = fixture.source(repository.path);
    await fixture.run(source);
    const again = await fixture.run(source);
    expect(again).toMatchObject({ stored: 0, unchanged: 6, removed: 0 });
    expect(gapsIn(again.warnings)).toBe(2);
    const next = repository.commit('next', { other: 'x\n' });
    expect(gapsIn((await fixture.run(source)).warnings)).toBe(2);
    expect(fixture.commit(next)).toMatchObject({ additions: 1 });
    renameSync(fixture.path('away'), object);
    expect((await fixture.run(source)).warnings).toEqual([]);
    expect(isKnown()).toEqual([true, true, true, true, true, true]);
  });

  itInTorture('reads as much of its clone as possible if the remote lacks the same object', async () => {
    const source = fixture.source(`file://${repository.path}`);
    await fixture.run(source);
    const [clone = ''] = readdirSync(fixture.path('clones'));
    const inClone = objectOf('HEAD:changed', fixture.path(join('clones', clone)));
    const next = repository.commit('next', { changed: 'next\n' });
    rmSync(inClone);
    rmSync(objectOf('HEAD~1:changed'));
    expect(gapsIn((await fixture.run(source)).warnings)).toBe(1);
    expect(fixture.commit(next)).toMatchObject({ title: 'next', ...GAP });
  });
});
