import fc from 'fast-check';
import type { PlainRecord } from '../kinds/identity.js';
import { NOW, aCommit, aProvenance, aRelease, aRepositoryRecord, aVideo, someNews } from '../testing/index.js';
import { type VouchedRecord, sameVouchers, statedBy, vouchedRecord, vouchersOf, withStatement, withoutStatement } from './vouched-record.js';

const GIT = 'git:acme/widget';
const GITHUB = 'github:acme/widget';
const FILE = 'records:0123456789ab';
const SOURCES = [GIT, GITHUB, 'gitea:acme/widget', FILE, 'changelog:acme/widget', 'forgejo:acme/widget'] as const;

const put = (stored: VouchedRecord | null, record: PlainRecord, source: string | null): VouchedRecord => {
  const vouched = withStatement(stored, record, { source });
  if (vouched === null) throw new Error('the record was not accepted');
  return vouched;
};
/** What a store keeps, read back. */
const reread = (vouched: VouchedRecord): VouchedRecord => vouchedRecord(vouched.record, JSON.parse(JSON.stringify(vouchersOf(vouched))));
const putAll = (statements: readonly (readonly [string, PlainRecord])[]) =>
  statements.reduce<VouchedRecord | null>((stored, [source, record]) => {
    const vouched = withStatement(stored, record, { source });
    return vouched === null ? stored : reread(vouched);
  }, null);

const word = fc.constantFrom('', 'one', 'two', 'three');
const provenance = fc
  .record({
    source: word,
    observedAt: fc.constantFrom(NOW - 3, NOW - 2, NOW - 1),
    publishedAt: fc.option(fc.constantFrom(NOW - 9, NOW - 8), { nil: undefined }),
  })
  .map(({ publishedAt, ...over }) => aProvenance(publishedAt === undefined ? over : { ...over, publishedAt }));
const time = fc.integer({ min: NOW - 5, max: NOW });
const assets = word.map((name) => [{ name, platform: null, size: 1, url: 'https://git.example/widget.zip' }]);
/** Each of these fields, or none: a source may say nothing about an optional field. */
const optional = <Fields extends object>(fields: { readonly [Name in keyof Fields]: fc.Arbitrary<Fields[Name]> }) =>
  fc.record(fields, { requiredKeys: [] });
const release = fc
  .record({ name: word, body: word, platform: fc.option(word, { nil: null }), releaseType: word, publishedAt: time, sourceUrl: word, provenance })
  .chain((over) => optional({ assets }).map((more) => aRelease({ ...over, ...more })));
const repository = fc
  .record({ defaultBranch: fc.option(word, { nil: null }), fullName: fc.constantFrom('acme/widget', 'Acme/Widget'), lastSyncedAt: time, provenance })
  .chain((over) => optional({ description: word, language: word }).map((more) => aRepositoryRecord({ ...over, ...more })));
const commit = fc.record({ title: word, authorLogin: word, branch: fc.option(word, { nil: null }), committedAt: time }).map((over) => aCommit(over));
const record: fc.Arbitrary<fc.Arbitrary<PlainRecord>> = fc.constantFrom(release, repository, commit);

/** The last statement of each of several sources about one record, in two orders; each source may have said something else before. */
const twoOrders = record.chain((one) =>
  fc.uniqueArray(fc.tuple(fc.constantFrom(...SOURCES), one), { selector: ([source]) => source, minLength: 1, maxLength: 4 }).chain((statements) =>
    fc.record({
      statements: fc.constant(statements),
      other: fc.shuffledSubarray(statements, { minLength: statements.length }),
      earlier: fc.array(fc.tuple(fc.constantFrom(...statements.map(([source]) => source)), one), { maxLength: 3 }),
    }),
  ),
);

/** A forge is refused until another source has stored the commit; it then puts it again. */
const untilAccepted = (statements: readonly (readonly [string, PlainRecord])[]) => [...statements, ...statements];

describe('a record for which several sources vouch', () => {
  it('does not depend on the order of their runs, or on what they said before', () => {
    fc.assert(
      fc.property(twoOrders, ({ statements, other, earlier }) => {
        const first = putAll(untilAccepted(statements));
        expect(putAll(untilAccepted([...earlier, ...other]))).toEqual(first);
      }),
    );
  });

  it('is what the others say once a source is withdrawn, whatever that source said', () => {
    fc.assert(
      fc.property(twoOrders, ({ statements }) => {
        const [[gone] = [''], ...rest] = statements;
        const all = putAll(untilAccepted(statements));
        const left = all === null ? null : withoutStatement(all, gone);
        expect(left === null ? null : reread(left)).toEqual(putAll(untilAccepted(rest)));
      }),
    );
  });

  it('is the same when its statements are put into another store', () => {
    fc.assert(
      fc.property(twoOrders, ({ statements }) => {
        const all = putAll(untilAccepted(statements));
        const copied = all === null ? null : putAll(statedBy(all).map(({ record: said, source }) => [source ?? '', said] as const));
        expect(copied).toEqual(all);
      }),
    );
  });

  it('has the notes of the forge and the time of the tag', () => {
    const tag = aRelease({ name: 'v2', body: 'tag message', publishedAt: NOW - 9, provenance: aProvenance({ source: 'git', publishedAt: NOW - 9 }) });
    const notes = aRelease({
      name: 'Widget 2',
      body: 'Notes',
      platform: 'linux',
      releaseType: 'beta',
      assets: [{ name: 'widget.zip', platform: null, size: 1, url: 'https://git.example/widget.zip' }],
      sourceUrl: 'https://git.example/notes',
      publishedAt: NOW - 5,
      provenance: aProvenance({ source: 'GitHub', publishedAt: NOW - 5 }),
    });
    const wanted = { ...notes, publishedAt: NOW - 9, provenance: { ...notes.provenance, publishedAt: NOW - 9 } };
    expect(put(put(null, notes, GITHUB), tag, GIT).record).toEqual(wanted);
    expect(put(put(null, tag, GIT), notes, GITHUB).record).toEqual(wanted);
    expect(withoutStatement(put(put(null, tag, GIT), notes, GITHUB), GITHUB)).toEqual({ record: tag, statements: [{ source: GIT, record: tag }] });
  });

  it('has the default branch that git shows, and the name and address that the forge gives', () => {
    const read = aRepositoryRecord({ defaultBranch: 'public', lastSyncedAt: NOW - 2 });
    const told = aRepositoryRecord({
      defaultBranch: 'internal',
      lastSyncedAt: NOW - 1,
      fullName: 'Acme/Widget',
      provenance: aProvenance({ source: 'GitHub' }),
    });
    expect(put(put(null, told, GITHUB), read, GIT).record).toEqual({ ...told, defaultBranch: 'public', lastSyncedAt: NOW - 2 });
  });

  it('has the notes of a records file rather than those of a tag', () => {
    const stored = put(put(null, aRelease({ body: 'from a file' }), FILE), aRelease({ body: 'tag message' }), GIT);
    expect(stored.record).toMatchObject({ body: 'from a file' });
  });
});

describe('a commit', () => {
  const fromGit = aCommit({ authorLogin: '' });
  const fromForge = aCommit({ authorLogin: 'ada', title: 'other', additions: 0 });

  it('is not brought by a forge alone', () => {
    expect(withStatement(null, fromForge, { source: GITHUB })).toBeNull();
    expect(withoutStatement(put(put(null, fromGit, GIT), fromForge, GITHUB), GIT)).toBeNull();
  });

  it('has the login of the forge, and all else from git, also after git has put it again', () => {
    const named = reread(put(put(null, fromGit, GIT), fromForge, GITHUB));
    expect(named.record).toEqual({ ...fromGit, authorLogin: 'ada' });
    const again = put(named, { ...fromGit, title: 'edited' }, GIT);
    expect(again.record).toEqual({ ...fromGit, title: 'edited', authorLogin: 'ada' });
    expect(withoutStatement(again, GITHUB)?.record).toEqual({ ...fromGit, title: 'edited' });
  });

  it('costs one field for each of the two sources', () => {
    expect(vouchersOf(put(put(null, fromGit, GIT), fromForge, GITHUB))).toEqual([
      { source: GIT, says: { authorLogin: '' } },
      { source: GITHUB, says: {} },
    ]);
  });
});

describe('a record for which nobody vouches', () => {
  const stored = put(null, someNews(), null);

  it('is taken over by the first source that puts it', () => {
    const taken = put(stored, someNews(), 'feed:acme');
    expect(vouchersOf(taken)).toEqual([{ source: 'feed:acme', says: {} }]);
    expect(sameVouchers(taken, stored)).toBe(false);
  });

  it('is removed by any source, and one for which another source vouches is not', () => {
    expect(withoutStatement(stored, 'feed:acme')).toBeNull();
    const taken = put(stored, someNews(), 'feed:acme');
    expect(withoutStatement(taken, 'feed:other')).toBe(taken);
    expect(withoutStatement(taken, null)).toBeNull();
  });
});

describe('a record that is put without a source', () => {
  it('is shown as it was put, and keeps its sources, until one of them contradicts', () => {
    const stored = put(put(null, aRelease({ body: 'tag' }), GIT), aRelease({ body: 'notes' }), GITHUB);
    const edited = reread(put(stored, aRelease({ body: 'edited' }), null));
    expect([edited.record, edited.statements.map(({ source }) => source)]).toEqual([aRelease({ body: 'edited' }), [GIT, GITHUB]]);
    expect(put(edited, aRelease({ body: 'notes' }), GITHUB).record).toMatchObject({ body: 'notes' });
  });
});

describe('a record of a kind that two sources do not share', () => {
  it('is the one that was put last, and keeps both sources', () => {
    const both = put(put(null, someNews({ title: 'one' }), 'feed:a'), someNews({ title: 'two' }), 'feed:b');
    expect([both.record, vouchersOf(both)]).toEqual([
      someNews({ title: 'two' }),
      [
        { source: 'feed:a', says: {} },
        { source: 'feed:b', says: {} },
      ],
    ]);
  });

  it('is stored as it is: a time is taken over only if the caller says which time stands for an unknown one', () => {
    const stored = put(null, aVideo({ discoveredAt: NOW - 9 }), 'feed:a');
    const { discoveredAt: _unused, ...untimed } = aVideo({ title: 'two' });
    expect(put(stored, untimed as PlainRecord, 'feed:a').record).toBe(untimed);
    const filled = aVideo({ title: 'two', discoveredAt: NOW, provenance: aProvenance({ observedAt: NOW }) });
    expect(withStatement(stored, filled, { source: 'feed:a', filledAt: NOW })?.record).toMatchObject({ title: 'two', discoveredAt: NOW - 9 });
  });
});
