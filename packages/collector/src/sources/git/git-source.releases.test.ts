import { GitFixture } from '../../../test/git/git-fixture.js';
import type { TemporaryRepository } from '../../../test/git/temporary-repository.js';

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

  it('creates a release for an annotated tag, with its message and the date of its tagger', async () => {
    repository.commit('two');
    repository.git('tag', '-m', 'Version 1\n\nNotes.\n\nSigned-off-by: Bob <bob@example.org>', 'v1.0.0', 'HEAD~1');
    await run();
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

  it('creates a release for a lightweight tag, without a body and with the date of its commit', async () => {
    repository.git('tag', 'nightly-build');
    await run();
    expect(release('nightly-build')).toMatchObject({
      body: '',
      publishedAt: 1_700_000_060_000,
      releaseType: 'nightly',
      provenance: { confidence: 'medium' },
    });
  });

  it('leaves out the signature of a tag', async () => {
    const target = repository.git('rev-parse', 'HEAD');
    const signature = '-----BEGIN PGP SIGNATURE-----\n\niQEzBAABCAAd\n-----END PGP SIGNATURE-----\n';
    const tag = `object ${target}\ntype commit\ntag v1.0.0\ntagger Ada <ada@example.org> 1700000000 +0000\n\nSigned notes – ümläut\n${signature}`;
    repository.git('update-ref', 'refs/tags/v1.0.0', repository.gitWith(tag, 'hash-object', '-t', 'tag', '-w', '--stdin'));
    await run();
    expect(release('v1.0.0')?.body).toBe('Signed notes – ümläut');
  });

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

  it('encodes a tag in its address, segment by segment', async () => {
    repository.git('tag', 'release/ü#1%');
    await run();
    expect(release('release/ü#1%')).toMatchObject({
      id: 'Acme/Widget@release/%C3%BC#1%',
      sourceUrl: 'https://git.example.org/Acme/Widget/releases/tag/release/%C3%BC%231%25',
    });
  });

  it('leaves out tags that cannot be shown, and reports which', async () => {
    const tree = repository.git('rev-parse', 'HEAD^{tree}');
    repository.git('tag', 'a-tree', tree);
    repository.git('tag', 'by-ada@example.org');
    repository.git('tag', '-m', 'Dated', 'dated-tree', tree);
    expect((await run()).warnings).toEqual([
      'tag "a-tree" was left out: it has no date and leads to no commit',
      'a tag was left out: its name holds an e-mail address',
    ]);
    expect(fixture.store.releases().map(({ tagName }) => tagName)).toEqual(['dated-tree']);
  });

  it('says again that a tag is left out while nothing changes, until it is gone', async () => {
    repository.git('tag', 'a-tree', repository.git('rev-parse', 'HEAD^{tree}'));
    const source = fixture.source(repository.path);
    const { warnings } = await fixture.run(source);
    expect(warnings).toHaveLength(1);
    for (let again = 0; again < 2; again++) expect(await fixture.run(source)).toMatchObject({ warnings });
    repository.git('tag', '--delete', 'a-tree');
    expect(await fixture.run(source)).toMatchObject({ warnings: [] });
    expect(await fixture.run(source)).toMatchObject({ warnings: [] });
  });

  it.each(['q＠example.org', 'v1/Acme/Widget@ada@example.org', 'ada%40example.org', 'q\u200b@example.org'])(
    'leaves out %j, whose name contains an e-mail address, and does not quote it',
    async (name) => {
      repository.git('tag', name);
      expect((await run()).warnings).toEqual(['a tag was left out: its name holds an e-mail address']);
      expect(fixture.store.releases()).toEqual([]);
    },
  );

  it.each(['tool@v1.beta', 'Acme/Widget@v1.io', '@scope/pkg@1.2.0', 'tool@1.0.0-alpha.beta'])(
    'accepts %j, which is not an e-mail address',
    async (name) => {
      repository.git('tag', name);
      expect((await run()).warnings).toEqual([]);
      expect(release(name)).toMatchObject({ id: `Acme/Widget@${name}`, tagName: name });
    },
  );

  it('quotes at most 80 characters of a tag that it leaves out', async () => {
    repository.git('tag', `a-tree-${'x'.repeat(180)}`, repository.git('rev-parse', 'HEAD^{tree}'));
    const { warnings } = await run();
    expect(warnings).toEqual([`tag "a-tree-${'x'.repeat(72)}…" was left out: it has no date and leads to no commit`]);
  });

  it('resolves a tag of a tag', async () => {
    repository.git('tag', '-m', 'inner', 'inner');
    repository.git('tag', '-m', 'outer', 'v1.0.0', 'inner');
    await run();
    expect(release('v1.0.0')).toMatchObject({ body: 'outer', publishedAt: 1_700_000_060_000 });
  });

  it('removes every release if the last tag is deleted', async () => {
    repository.git('tag', 'v1.0.0');
    await run();
    repository.git('tag', '--delete', 'v1.0.0');
    expect(await run()).toMatchObject({ removed: 1 });
    expect(fixture.store.releases()).toEqual([]);
  });
});
