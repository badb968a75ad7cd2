import { writeFileSync } from 'node:fs';
import { EARLIEST_INSTANT, LATEST_INSTANT, MAX_CHANGED_PATHS } from '@vitrine/core';
import { itInTorture, sampled } from '@vitrine/test-support';
import { GitFixture } from '../../../test/git/git-fixture.js';
import type { TemporaryRepository } from '../../../test/git/temporary-repository.js';

const PERSON = 'Ada <ada@example.org>';

const BY = `author ${PERSON} 1 +0000\ncommitter ${PERSON} 1 +0000\n\n`;
/** Their number is above the limit of a commit. */
const MANY = Array.from({ length: MAX_CHANGED_PATHS + 10 }, (_, number) => `many/f${String(number).padStart(3, '0')}`);

describe('GitSource on odd commits', () => {
  const fixture = new GitFixture();
  const repository = fixture.repository();
  const title = "Merge branch 'main' of git@git.example.org:acme/widget";
  const dated = (branch: string, date: string) => repository.oddCommit(branch, `author ${PERSON} ${date}\ncommitter ${PERSON} ${date}\n\n${branch}`);
  const start = repository.commit('base', { 'dir/old name.txt': 'a\nb\nc\nd\n' });

  function commitSubmodule(): string {
    repository.checkOut();
    repository.git('update-index', '--add', '--cacheinfo', `160000,${start},vendor/lib`);
    repository.gitWith('sub', 'commit', '--quiet', '--file=-');
    return repository.git('rev-parse', 'HEAD');
  }

  function move(): string {
    repository.git('mv', 'dir/old name.txt', 'dir/nëw\tname.txt');
    writeFileSync(`${repository.path}/other`, 'x\n');
    return repository.commitWorkingCopy('move');
  }

  function octopus(): string {
    for (const name of ['x', 'y', 'z']) repository.commitOn(name, { [`on ${name}`]: { [name]: `${name}\n` } });
    repository.commit('on main', { m: 'm\n' });
    repository.git('merge', '--quiet', '--no-edit', '-m', 'octopus', 'x', 'y', 'z');
    return repository.git('rev-parse', 'HEAD');
  }

  const shas = {
    empty: repository.commit(''),
    blank: repository.commit('\n \n\n'),
    indented: repository.commit('\n\n  fix: it  \r\nand more\r\n\r\nlast\r\n'),
    address: repository.commit(title),
    many: repository.commit('many', Object.fromEntries(MANY.map((name) => [name, 'x\n']))),
    binary: repository.commit('binary', { 'a.png': Buffer.from([0, 1, 2, 0]), 'b.txt': 'b\n' }),
    invalid: repository.oddCommit('a', Buffer.concat([Buffer.from(`${BY}bad `), Buffer.from([0xff, 0xfe]), Buffer.from(' end\u0007\u001b[31m')])),
    latin: repository.oddCommit(
      'b',
      Buffer.from(`author J\xf6rg <j@example.org> 1 +0000\ncommitter ${PERSON} 1 +0000\nencoding ISO-8859-1\n\nGr\xfc\xdfe`, 'latin1'),
    ),
    nul: repository.oddCommit('c', `${BY}before\0\0after\0`),
    whole: repository.oddCommit('d', `${BY}whole`),
    old: dated('old', '-500000000 +0000'),
    future: dated('future', '5000000000 +0200'),
    absurd: dated('absurd', '99999999999999999 +0000'),
    ancient: dated('ancient', '-99999999999999 +0000'),
    huge: dated('huge', '999999999999999999999999999 +0000'),
    noAuthor: repository.oddCommit('no-author', `committer ${PERSON} 1 +0000\n\nno author`),
    nulAuthor: repository.oddCommit('nul-author', `author A\0B <a@example.org> 1 +0000\ncommitter ${PERSON} 1 +0000\n\nNUL in the name`),
    half: repository.oddCommit('half', `author ${PERSON} 1500000000 +0000\ncommitter nobody\n\nhalf`),
    move: move(),
    submodule: commitSubmodule(),
    octopus: octopus(),
  };
  const stored = (name: keyof typeof shas) => fixture.commit(shas[name]);

  beforeAll(async () => {
    await fixture.run(fixture.source(repository.path));
  });

  afterAll(() => {
    fixture.folder.remove();
  });

  it('gives a commit without a message a title', () => {
    expect(stored('empty')).toMatchObject({ title: '(no message)', description: '', changeType: null });
    expect(stored('blank')).toMatchObject({ title: '(no message)', description: '' });
  });

  it('uses the first line that is not blank as the title', () => {
    expect(stored('indented')).toMatchObject({ title: 'fix: it', description: 'and more\n\nlast' });
  });

  it('replaces invalid UTF-8, reads declared encodings, and removes control characters', () => {
    expect(stored('invalid').title).toBe('bad \ufffd\ufffd end[31m');
    expect(stored('latin')).toMatchObject({ title: 'Grüße', authorName: 'Jörg' });
  });

  it('gives a commit whose author git cannot read no name', () => {
    expect([stored('noAuthor'), stored('nulAuthor')]).toMatchObject([
      { title: 'no author', authorName: '' },
      { title: 'NUL in the name', authorName: '' },
    ]);
  });

  it('ends a message at a NUL and continues with the next commit', () => {
    expect(stored('nul')).toMatchObject({ title: 'before', description: '' });
    expect(stored('whole')).toMatchObject({ title: 'whole', branch: 'd' });
  });

  it('keeps dates before 1970 and after 2100, and limits impossible ones to the calendar', () => {
    const times = {
      old: -500_000_000_000,
      future: 5_000_000_000_000,
      absurd: LATEST_INSTANT,
      ancient: EARLIEST_INSTANT,
      huge: LATEST_INSTANT,
      half: 1_500_000_000_000,
    };
    expect(Object.fromEntries(Object.keys(times).map((name) => [name, stored(name as keyof typeof times).committedAt]))).toEqual(times);
  });

  it('counts a renamed file once, under its new path', () => {
    expect(stored('move')).toMatchObject({ additions: 1, deletions: 0, filesChanged: 2, changedPaths: ['dir/nëw name.txt', 'other'] });
  });

  it('counts binary files and submodules as files', () => {
    expect(stored('binary')).toMatchObject({ additions: 1, deletions: 0, filesChanged: 2 });
    expect(stored('submodule')).toMatchObject({ additions: 1, filesChanged: 1, changedPaths: ['vendor/lib'] });
  });

  it('counts the changes of a merge, also of many branches, against its first parent', () => {
    expect(stored('octopus')).toMatchObject({ title: 'octopus', additions: 3, deletions: 0, filesChanged: 3, changedPaths: ['x', 'y', 'z'] });
  });

  it('keeps the first changed paths of a commit that changes more', () => {
    expect(stored('many')).toMatchObject({ filesChanged: MANY.length, additions: MANY.length });
    expect(stored('many').changedPaths).toHaveLength(MAX_CHANGED_PATHS);
  });

  it('keeps the address of a repository in a title', () => {
    expect(stored('address').title).toBe(title);
  });
});

describe('GitSource on odd histories', () => {
  let fixture: GitFixture;
  let repository: TemporaryRepository;

  beforeEach(() => {
    fixture = new GitFixture();
    repository = fixture.repository();
  });

  afterEach(() => {
    fixture.folder.remove();
  });

  const run = () => fixture.run(fixture.source(repository.path));

  it('leaves out commits without a readable date and their tags, and says so', async () => {
    const base = repository.commit('base');
    const dates = sampled(['', ' ', ' yesterday', ' 0x10 +0000', ' 1500000000.5 +0000', ' +0000'], 2);
    const undated = dates.map((date, number) => {
      const sha = repository.oddCommit(`undated-${number}`, `author ${PERSON}${date}\ncommitter ${PERSON}${date}\n\nno date`);
      repository.tagObject(`dated-${number}`, base, `tagger ${PERSON}${date}\n\nnotes`);
      repository.tagObject(`never-${number}`, sha, `tagger ${PERSON}${date}\n\nnotes`);
      return sha;
    });
    repository.git('tag', 'never-light', undated[0] ?? '');
    const source = fixture.source(repository.path);
    const report = await fixture.run(source);
    expect(report).toMatchObject({ stored: 1 + dates.length, removed: 0 });
    expect(report.warnings[0]).toBe(`git acme/widget: ${String(dates.length)} commits were left out: no date in them can be read`);
    expect(report.warnings.slice(1).map((line) => line.replace(/\d|light/, 'N'))).toEqual(
      Array(1 + dates.length).fill('tag "never-N" was left out: it has no readable date and leads to no commit that has one'),
    );
    expect(fixture.branches()).toEqual({ base: 'main' });
    expect(new Set(fixture.store.releases().map(({ publishedAt }) => publishedAt))).toEqual(new Set([fixture.commit(base).committedAt]));
    expect(await fixture.run(source)).toMatchObject({ stored: 0, unchanged: 1 + dates.length, warnings: report.warnings });
    // An earlier version stored them with the time 0, and created its records in a different way.
    await fixture.store.put(undated.map((sha) => ({ ...fixture.commit(base), sha, committedAt: 0 })));
    expect(await fixture.run(fixture.source(repository.path, { label: 'Another' }))).toMatchObject({ removed: dates.length });
    expect(fixture.branches()).toEqual({ base: 'main' });
  });

  itInTorture('cuts a message of 10 MB without leaving a part of an e-mail address', async () => {
    const words = repository.commit(`long\n\n${'wörd '.repeat(2_000_000)}`);
    const addresses = repository.commit(`addresses\n\n${'somebody@example.org '.repeat(500_000)}`);
    const line = repository.commit('x'.repeat(10_000_000));
    await run();
    expect([...fixture.commit(words).description]).toHaveLength(65_536);
    expect(fixture.commit(words).description.endsWith('…')).toBe(true);
    expect(fixture.commit(addresses).description).not.toMatch(/some|@|example/);
    expect(fixture.commit(line).title).toBe(`${'x'.repeat(999)}…`);
  });

  it('removes e-mail addresses from names and paths, and drops branches that contain one', async () => {
    repository.git('config', 'user.useConfigOnly', 'false');
    repository.commit('base');
    const sha = repository.oddCommit(
      'ada@example.org/topic',
      `author ada@example.org <ada@example.org> 1 +0000\ncommitter ${PERSON} 1 +0000\n\nAsk ada@example.org`,
    );
    const path = repository.commit('path', { 'mail/ada@example.org.txt': 'x\n' });
    await run();
    expect(fixture.commit(sha)).toMatchObject({ authorName: 'ada', title: 'Ask', branch: null });
    expect(JSON.stringify([fixture.commit(path), fixture.store.contents()])).not.toContain('@example');
    expect(await run()).toMatchObject({ stored: 0 });
  });

  it('leaves an empty repository empty', async () => {
    expect(await run()).toEqual({ stored: 0, unchanged: 0, removed: 0, warnings: [] });
    expect(fixture.store.repositories()).toMatchObject([{ defaultBranch: null }]);
  });

  itInTorture('reads a bare repository, and one whose objects have sha256 names', async () => {
    const modern = fixture.repository('modern', '--object-format=sha256');
    const sha = modern.commit('one', { a: 'x\n' });
    modern.git('tag', '-m', 'Notes', 'v1.0.0');
    repository.git('clone', '--quiet', '--bare', modern.path, fixture.path('bare.git'));
    expect(await fixture.run(fixture.source(fixture.path('bare.git')))).toMatchObject({ stored: 2, warnings: [] });
    expect(sha).toHaveLength(64);
    expect(fixture.commit(sha)).toMatchObject({ additions: 1, branch: 'main' });
  });

  itInTorture('gives commits of a detached HEAD no branch, and reads the default branch from the origin', async () => {
    repository.commit('base');
    repository.git('clone', '--quiet', repository.path, fixture.path('copy'));
    repository.git('checkout', '--quiet', '--detach');
    const sha = repository.commit('adrift');
    await run();
    expect(fixture.branches()).toEqual({ base: 'main', adrift: null });
    expect(fixture.store.repositories()[0]?.defaultBranch).toBeNull();
    expect(fixture.commit(sha).branch).toBeNull();
    repository.git('-C', fixture.path('copy'), 'checkout', '--quiet', '-b', 'work');
    await fixture.run(fixture.source(fixture.path('copy'), { branches: null }));
    expect(fixture.store.repositories()[0]?.defaultBranch).toBe('main');
  });

  itInTorture('uses the usual default branch if HEAD names one that does not exist', async () => {
    repository.commit('base');
    repository.git('symbolic-ref', 'HEAD', 'refs/heads/never');
    await run();
    expect(fixture.store.repositories()[0]?.defaultBranch).toBe('main');
  });

  it('reports where a shallow clone ends, and reads the changes of those commits after the rest is fetched', async () => {
    repository.commit('one', { a: '1\n', b: '1\n' });
    const edge = repository.commit('two', { a: '1\n2\n' });
    const last = repository.commit('three', { a: '3\n' });
    const copy = fixture.path('copy');
    repository.git('clone', '--quiet', '--depth=2', `file://${repository.path}`, copy);
    const source = fixture.source(copy, { branches: null });
    const warning = expect.stringMatching(/^git acme\/widget: the clone is shallow: .* 1 commit at its end has no count of changes/);
    expect(await fixture.run(source)).toEqual({ stored: 2, unchanged: 0, removed: 0, warnings: [warning] });
    expect(fixture.commit(edge)).toMatchObject({ additions: 0, deletions: 0, filesChanged: 0, changedPaths: [], provenance: { confidence: 'low' } });
    expect(fixture.commit(last)).toMatchObject({ additions: 1, deletions: 2, provenance: { confidence: 'high' } });
    expect(await fixture.run(source)).toMatchObject({ stored: 0, unchanged: 2, warnings: [warning] });
    repository.git('-C', copy, 'fetch', '--quiet', '--unshallow');
    expect(await fixture.run(source)).toEqual({ stored: 2, unchanged: 1, removed: 0, warnings: [] });
    expect(fixture.commit(edge)).toMatchObject({ additions: 1, filesChanged: 1, provenance: { confidence: 'high' } });
  });

  itInTorture('ignores replaced objects and grafts', async () => {
    const first = repository.commit('one');
    const second = repository.commit('two');
    repository.git('replace', second, first);
    writeFileSync(`${repository.path}/.git/info/grafts`, `${second}\n`);
    await run();
    expect(fixture.commit(second).title).toBe('two');
    expect(fixture.store.commits()).toHaveLength(2);
  });
});
