import { GitFixture } from '../../../test/git/git-fixture.js';
import type { TemporaryRepository } from '../../../test/git/temporary-repository.js';

describe('GitSource on tags of every sort', () => {
  const fixture = new GitFixture();
  const release = (tagName: string) => fixture.store.releases().find((one) => one.tagName === tagName);
  const secret = ['by-ada@example.org', 'q＠example.org', 'v1/Acme/Widget@ada@example.org', 'ada%40example.org', 'q\u200b@example.org'];
  const harmless = ['tool@v1.beta', 'Acme/Widget@v1.io', '@scope/pkg@1.2.0', 'tool@1.0.0-alpha.beta'];
  let warnings: readonly string[];

  beforeAll(async () => {
    const repository = fixture.repository();
    const first = repository.commit('one');
    repository.commit('two');
    repository.git('tag', '-m', 'Version 1\n\nNotes.\n\nSigned-off-by: Bob <bob@example.org>', 'v1.0.0', first);
    repository.git('tag', 'nightly-build', first);
    repository.git('tag', 'release/ü#1%');
    repository.git('tag', '-m', 'outer', 'outer', 'v1.0.0');
    const signature = '-----BEGIN PGP SIGNATURE-----\n\niQEzBAABCAAd\n-----END PGP SIGNATURE-----\n';
    const tag = `object ${first}\ntype commit\ntag signed\ntagger Ada <ada@example.org> 1700000000 +0000\n\nSigned notes – ümläut\n${signature}`;
    repository.git('update-ref', 'refs/tags/signed', repository.gitWith(tag, 'hash-object', '-t', 'tag', '-w', '--stdin'));
    for (const name of [...secret, ...harmless]) repository.git('tag', name);
    const tree = repository.git('rev-parse', 'HEAD^{tree}');
    for (const name of ['a-tree', `long-${'x'.repeat(180)}`]) repository.git('tag', name, tree);
    repository.git('tag', '-m', 'Dated', 'dated-tree', tree);
    ({ warnings } = await fixture.run(fixture.source(repository.path)));
  });

  afterAll(() => {
    fixture.folder.remove();
  });

  it('creates a release for an annotated tag, with its message and the date of its tagger', () => {
    expect(release('v1.0.0')).toEqual({
      kind: 'release',
      repositoryRef: 'acme/widget',
      id: 'Acme/Widget@v1.0.0',
      tagName: 'v1.0.0',
      name: 'v1.0.0',
      body: 'Version 1\n\nNotes.\n\nSigned-off-by: Bob',
      platform: null,
      releaseType: 'stable',
      publishedAt: 1_700_000_120_000,
      sourceUrl: 'https://git.example.org/Acme/Widget/releases/tag/v1.0.0',
      provenance: {
        source: 'Acme git',
        sourceKind: 'official-source',
        sourceUrl: 'https://git.example.org/Acme/Widget/releases/tag/v1.0.0',
        observedAt: fixture.now,
        publishedAt: 1_700_000_120_000,
        confidence: 'high',
        isOfficialSource: true,
      },
    });
  });

  it('creates a release for a lightweight tag, without a body and with the date of its commit', () => {
    expect(release('nightly-build')).toMatchObject({
      body: '',
      publishedAt: 1_700_000_060_000,
      releaseType: 'nightly',
      provenance: { confidence: 'medium' },
    });
  });

  it('leaves out the signature of a tag', () => {
    expect(release('signed')?.body).toBe('Signed notes – ümläut');
  });

  it('encodes a tag in its address, segment by segment', () => {
    expect(release('release/ü#1%')).toMatchObject({
      id: 'Acme/Widget@release/%C3%BC#1%',
      sourceUrl: 'https://git.example.org/Acme/Widget/releases/tag/release/%C3%BC%231%25',
    });
  });

  it('resolves a tag of a tag', () => {
    expect(release('outer')).toMatchObject({ body: 'outer', publishedAt: 1_700_000_120_000 });
  });

  it('leaves out tags that cannot be shown, and reports which, with at most 80 characters of their names', () => {
    const undated = 'was left out: it has no readable date and leads to no commit that has one';
    const expected = [`tag "a-tree" ${undated}`, `tag "long-${'x'.repeat(74)}…" ${undated}`];
    expect(warnings.filter((line) => line.startsWith('tag'))).toEqual(expected);
    expect([release('a-tree'), release('dated-tree')?.body]).toEqual([undefined, 'Dated']);
  });

  it('leaves out names that contain an e-mail address, does not quote them, and accepts those that only look like one', () => {
    const left = warnings.filter((line) => !line.startsWith('tag'));
    expect(left).toEqual(secret.map(() => 'a tag was left out: its name holds an e-mail address'));
    expect(harmless.map((name) => release(name)?.id)).toEqual(harmless.map((name) => `Acme/Widget@${name}`));
    expect(JSON.stringify(fixture.store.contents())).not.toMatch(/[@＠]example|%40example/);
  });
});

describe('GitSource on tags', () => {
  let fixture: GitFixture;
  let repository: TemporaryRepository;

  beforeEach(() => {
    fixture = new GitFixture();
    repository = fixture.repository();
    repository.commit('one');
  });

  afterEach(() => {
    fixture.folder.remove();
  });

  const run = () => fixture.run(fixture.source(repository.path));
  const release = (tagName: string) => fixture.store.releases().find((one) => one.tagName === tagName);

  it('updates moved and deleted tags, and writes no other release again', async () => {
    repository.git('tag', 'v1.0.0');
    repository.git('tag', 'v1.1.0');
    repository.git('tag', 'v2.0.0');
    await run();
    const observed = release('v1.0.0')?.provenance.observedAt;
    repository.commit('two');
    repository.git('tag', '--force', 'v1.1.0');
    repository.git('tag', '--delete', 'v2.0.0');
    expect(await run()).toEqual({ stored: 2, unchanged: 2, removed: 1, warnings: [] });
    expect(release('v1.0.0')?.provenance.observedAt).toBe(observed);
    expect(release('v1.1.0')?.publishedAt).toBe(1_700_000_120_000);
    expect(release('v2.0.0')).toBeUndefined();
  });

  it('says again that a tag is left out while nothing changes, until it is gone', async () => {
    repository.git('tag', 'a-tree', repository.git('rev-parse', 'HEAD^{tree}'));
    const source = fixture.source(repository.path);
    const { warnings } = await fixture.run(source);
    expect(warnings).toHaveLength(1);
    for (let again = 0; again < 2; again++) expect(await fixture.run(source)).toMatchObject({ warnings });
    repository.git('tag', '--delete', 'a-tree');
    for (let again = 0; again < 2; again++) expect(await fixture.run(source)).toMatchObject({ warnings: [] });
  });

  it('removes every release if the last tag is deleted', async () => {
    repository.git('tag', 'v1.0.0');
    await run();
    repository.git('tag', '--delete', 'v1.0.0');
    expect(await run()).toMatchObject({ removed: 1 });
    expect(fixture.store.releases()).toEqual([]);
  });
});
