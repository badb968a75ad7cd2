import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { aBuild, aCommit, aFinding, aMission, anArticle, aProvenance, aRelease, aRepository, aVideo } from '../testing/index.js';
import { ownUrl, withOwnAddresses, withOwnRelease } from './own-url.js';

const vectors = JSON.parse(readFileSync(join(__dirname, '../testing/vectors/own-urls.json'), 'utf8')) as {
  readonly urls: readonly { url: string; repository: string; own: boolean }[];
};

describe('ownUrl', () => {
  it('is the given one or that of the repository, as the vectors say', () => {
    const found = vectors.urls.map(({ url, repository }) => [url, ownUrl(url, repository)]);
    expect(found).toEqual(vectors.urls.map(({ url, repository, own }) => [url, own ? url : repository]));
  });

  it('leads nowhere else, as a browser understands it', () => {
    const base = 'https://h.example/acme/widget';
    const piece = fc.constantFrom(
      '/',
      '.',
      '..',
      '%2e',
      '%2E',
      '%2f',
      '\\',
      '@',
      ':',
      '?',
      '#',
      ';',
      'secret',
      'h.example',
      '//',
      ' ',
      '\t',
      '\n',
      '\0',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const { host, username, pathname } = new URL(ownUrl(base + pieces.join(''), base));
        expect([host, username]).toEqual(['h.example', '']);
        expect(pathname === '/acme/widget' || pathname.startsWith('/acme/widget/')).toBe(true);
      }),
      { numRuns: process.env['VITRINE_TORTURE'] === '1' ? 3_000 : 20 },
    );
  });
});

describe('withOwnAddresses', () => {
  const repository = aRepository();
  const base = repository.provenance.sourceUrl;
  const secret = 'https://git.example/acme/secret';
  const provenance = aProvenance({ sourceUrl: secret });

  it.each([
    aCommit({ provenance }),
    aRelease({ sourceUrl: secret, assets: [{ name: 'a.zip', platform: null, size: 1, url: secret }], provenance }),
    aFinding({ sourceUrl: secret, provenance }),
    aBuild({ url: secret, provenance }),
    aMission({ url: secret, provenance }),
    anArticle({ url: secret, sourceUrl: secret, provenance }),
    aVideo({ repositoryRef: 'acme/widget', url: secret, sourceUrl: secret, embedUrl: secret, thumbnailUrl: secret, provenance }),
  ])('replaces every foreign address of a $kind', (record) => {
    const shown = withOwnAddresses(record, repository);
    expect(JSON.stringify(shown)).not.toContain('secret');
    expect(JSON.parse(JSON.stringify(record).replaceAll(secret, base))).toEqual(JSON.parse(JSON.stringify(shown)));
  });

  it('gives back the same record when every address is its own', () => {
    const commit = aCommit();
    expect(withOwnAddresses(commit, repository)).toBe(commit);
    const video = aVideo({ repositoryRef: 'acme/widget', url: base, sourceUrl: base, provenance: aProvenance({ sourceUrl: base }) });
    expect(withOwnAddresses(video, repository)).toBe(video);
  });
});

describe('withOwnRelease', () => {
  const summary = { tagName: 'v1', name: 'One', releaseType: 'stable', platform: null, publishedAt: 0 };

  it('replaces a foreign address of the newest release', () => {
    const repository = aRepository({ latestRelease: { ...summary, sourceUrl: 'https://git.example/acme/secret/releases/v1' } });
    expect(withOwnRelease(repository).latestRelease).toEqual({ ...summary, sourceUrl: repository.provenance.sourceUrl });
  });

  it('keeps the rest', () => {
    const own = aRepository({ latestRelease: { ...summary, sourceUrl: 'https://git.example/acme/widget/releases/v1' } });
    expect(withOwnRelease(own)).toBe(own);
    expect(withOwnRelease(aRepository())).toEqual(aRepository());
  });
});
