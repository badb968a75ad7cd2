import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { anyText } from '../../../../test/any-text.js';
import { NOW, Random, aBuild, aCommit, aFinding, aMission, aRelease, aService, aVideo, anArticle, anIncident, someNews } from '../testing/index.js';
import { comparePositions, idKeyOf, keyFor, positionOf, keyOfIdentity, releaseIdKey, scopeOf, scopeTag, timeOf } from './identity.js';
import { compareText, pageOf } from './page.js';
import { SEARCH_TYPES, type SearchType } from './search.js';

const ids = fc.stringMatching(/^[!-~]{1,12}$/);

describe('keyOfIdentity', () => {
  it('names a commit by its repository and its sha', () => {
    expect(idKeyOf(aCommit({ repositoryRef: 'acme/widget#42', sha: 'a'.repeat(40) }))).toBe(`acme/widget@${'a'.repeat(40)}`);
  });

  it('ignores the case of a release in its repository only', () => {
    expect(idKeyOf(aRelease({ id: 'Acme/Widget@V1@X' }))).toBe('acme/widget@V1@X');
    expect(releaseIdKey('NO-AT')).toBe('NO-AT');
  });

  it('is the id alone where no repository has a part in it', () => {
    expect(keyOfIdentity(someNews({ id: 'n' }))).toBe('n');
    expect(keyOfIdentity(anIncident({ id: 'i' }))).toBe('i');
    expect(keyOfIdentity(aVideo({ id: 'v', repositoryRef: '-' }))).toBe('v');
    expect([scopeOf(someNews()), scopeOf(anIncident()), scopeOf(aVideo())]).toEqual(['-', '-', '-']);
  });

  it('depends on the kind alone whether a repository has a part in it', () => {
    for (const repositoryRef of ['acme/widget', undefined, null]) {
      const news = { ...someNews({ id: 'n' }), repositoryRef };
      const service = { ...aService(), repositoryRef };
      expect([scopeOf(news), scopeOf(service), keyOfIdentity(news)]).toEqual(['-', '-', 'n']);
    }
  });

  it('tells one id in two repositories apart', () => {
    expect(keyOfIdentity(aFinding({ repositoryRef: 'acme/a' }))).not.toBe(keyOfIdentity(aFinding({ repositoryRef: 'acme/b' })));
    expect(keyOfIdentity(aFinding({ repositoryRef: 'acme/a' }))).not.toBe(keyOfIdentity(aFinding({ repositoryRef: 'acme/a#1' })));
  });

  it('orders by id first, whatever the repositories', () => {
    const scopes = fc.constantFrom('-', 'acme/a', 'acme/b', 'acme/a#1');
    fc.assert(
      fc.property(ids, ids, scopes, scopes, (left, right, leftScope, rightScope) => {
        const byKey = compareText(keyFor(left, leftScope as '-'), keyFor(right, rightScope as '-'));
        if (left !== right) expect(Math.sign(byKey)).toBe(Math.sign(compareText(left, right)));
        else if (leftScope !== rightScope) expect(byKey).not.toBe(0);
      }),
    );
  });

  it('uses a short tag of its repository, other for other names', () => {
    const tags = new Set(Array.from({ length: 20_000 }, (_, index) => scopeTag(`acme/repository-${index}`)));
    expect(tags.size).toBe(20_000);
    expect([...tags].every((tag) => /^[0-9a-f]{16}$/.test(tag))).toBe(true);
  });
});

describe('timeOf', () => {
  it.each([
    [aCommit({ committedAt: 1 })],
    [aRelease({ publishedAt: 1 })],
    [aFinding({ detectedAt: 1 })],
    [aMission({ createdAt: 1, startedAt: 5 })],
    [someNews({ listedAt: 1, publishedAt: 7, discoveredAt: 9 })],
    [anArticle({ publishedAt: 1, updatedAt: 8 })],
    [aVideo({ publishedAt: 1, discoveredAt: 8 })],
    [anIncident({ startedAt: 1, scheduledFor: 9 })],
    [aBuild({ startedAt: 1, finishedAt: 3 })],
    [aBuild({ startedAt: null, finishedAt: 1 })],
  ])('of $kind is the time its lists are ordered by', (record) => {
    expect(timeOf(record)).toBe(1);
    expect(positionOf(record)).toEqual({ time: 1, id: keyOfIdentity(record) });
  });

  it('of a build that has not begun is when it was seen', () => {
    const build = aBuild({ startedAt: null, finishedAt: null });
    expect(timeOf(build)).toBe(build.provenance.observedAt);
  });
});

describe('comparePositions', () => {
  it('puts the newest first, and orders one moment by id', () => {
    const ordered = [
      { time: NOW, id: 'a' },
      { time: NOW, id: 'b' },
      { time: NOW - 1, id: 'A' },
    ];
    expect(new Random(7).shuffled(ordered).sort(comparePositions)).toEqual(ordered);
  });
});

describe('the order of search', () => {
  interface Position {
    readonly tier: number;
    readonly time: number;
    readonly type: SearchType;
    readonly id: string;
  }
  const { ordered } = JSON.parse(readFileSync(join(__dirname, '../testing/vectors/search-order.json'), 'utf8')) as { ordered: readonly Position[] };

  it('follows from tier, time, type and key', () => {
    const compare = (a: Position, b: Position) => a.tier - b.tier || b.time - a.time || compareText(a.type, b.type) || compareText(a.id, b.id);
    expect(new Random(3).shuffled(ordered).sort(compare)).toEqual(ordered);
    expect([...SEARCH_TYPES].sort(compareText)).toEqual(SEARCH_TYPES);
  });
});

describe('compareText', () => {
  it('orders by UTF-8 bytes', () => {
    const texts = fc.oneof(anyText(), fc.string({ unit: fc.constantFrom('a', 'é', '\ud7ff', '\ue000', '\uffff', '😀', '𠮷') }));
    fc.assert(
      fc.property(texts, texts, (a, b) => {
        expect(Math.sign(compareText(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
      }),
      { numRuns: process.env['VITRINE_TORTURE'] === '1' ? 2_000 : 20 },
    );
  });
});

describe('pageOf', () => {
  const identity = (item: number) => item;

  it.each([
    [[], 2, { items: [], next: null }],
    [[1, 2], 2, { items: [1, 2], next: null }],
    [[1, 2, 3], 2, { items: [1, 2], next: 2 }],
    [[1, 2], 1, { items: [1], next: 1 }],
  ])('of %p with limit %d', (found, limit, page) => {
    expect(pageOf(found, limit, identity)).toEqual(page);
  });
});
