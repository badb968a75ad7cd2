import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { SearchField } from '../kinds/search.js';
import { aCommit, aFinding, aMission, aRelease, aRepositoryRecord, aService, aVideo, anArticle, anIncident, someNews } from '../testing/index.js';
import { type FieldMatch, matchFields, searchFieldsOf, searchTypeOf } from './search-fields.js';
import { entryWords, searchWordsOf } from './search-words.js';

interface Vector {
  readonly q: string;
  readonly fields: readonly [path: string, isTitle: boolean, ...texts: string[]][];
  readonly match: FieldMatch | null;
}
const vectors = JSON.parse(readFileSync(join(__dirname, '../testing/vectors/search-order.json'), 'utf8')) as { readonly matches: readonly Vector[] };

const NO_WORDS = { whole: [], prefix: null };
const match = (fields: readonly SearchField[], q: string) => matchFields(fields, searchWordsOf(q) ?? NO_WORDS);

describe('matchFields', () => {
  it('is that of the vectors', () => {
    const found = vectors.matches.map(({ fields, ...vector }) => {
      const searched = fields.map(([path, isTitle, ...texts]) => ({ path, isTitle, texts }));
      return { ...vector, fields, match: match(searched, vector.q) };
    });
    expect(found).toEqual(vectors.matches);
  });

  it('matches nothing without a word', () => {
    expect(matchFields(searchFieldsOf(aCommit(), null), NO_WORDS)).toBeNull();
  });

  it('finds a record by each single word of each of its fields, and names that field', () => {
    const texts = fc.string({ unit: 'grapheme', maxLength: 30 });
    fc.assert(
      fc.property(texts, texts, texts, (title, description, authorName) => {
        const fields = searchFieldsOf(aCommit({ title, description, authorName }), null);
        for (const field of fields) {
          for (const word of field.texts.flatMap(entryWords)) expect(match(fields, word)?.matchedFields).toContain(field.path);
        }
      }),
    );
  });

  it('finds a commit by every beginning of its sha from two digits on, as its title', () => {
    const commit = aCommit({ title: 'x', sha: '9f1c2d3e4b5a69788796a5b4c3d2e1f001122334' });
    for (let length = 2; length <= 40; length++) {
      expect(match(searchFieldsOf(commit, null), commit.sha.slice(0, length))).toEqual({ tier: 0, matchedFields: ['sha'] });
    }
    expect(match(searchFieldsOf(commit, null), '9F1C2D3')).toEqual({ tier: 0, matchedFields: ['sha'] });
  });
});

describe('searchFieldsOf', () => {
  const paths = (isTitle: boolean, fields: readonly SearchField[]) => fields.filter((field) => field.isTitle === isTitle).map(({ path }) => path);

  it.each([
    [aCommit(), 'commit', ['title', 'sha'], ['description', 'authorName', 'authorLogin']],
    [aRelease(), 'release', ['name', 'tagName'], ['body']],
    [aFinding(), 'finding', ['title'], ['summary', 'evidence.files']],
    [aRepositoryRecord(), 'repository', ['fullName'], []],
    [someNews(), 'news', ['title'], ['summary', 'source']],
    [anArticle(), 'article', ['title'], ['summary', 'body', 'tags', 'version', 'changes.text']],
    [aService(), 'status-service', ['displayName'], ['key']],
    [aMission(), 'mission', ['title'], ['summary', 'labels']],
    [anIncident(), 'incident', ['title'], ['updates.body', 'services.displayName']],
    [aVideo(), 'video', ['title'], ['description', 'channelName']],
  ] as const)('searches %p', (record, type, titles, others) => {
    expect(searchTypeOf(record)).toBe(type);
    expect(paths(true, searchFieldsOf(record, null))).toEqual(titles);
    expect(paths(false, searchFieldsOf(record, null))).toEqual(others);
  });

  it('searches the name of a repository beside the record, not as its title', () => {
    expect(match(searchFieldsOf(aCommit({ title: 'x' }), 'acme/widget'), 'widget')).toEqual({
      tier: 1,
      matchedFields: ['repository.fullName'],
    });
  });

  it('does not search changed paths', () => {
    expect(match(searchFieldsOf(aCommit({ changedPaths: ['secretpath.ts'] }), null), 'secretpath')).toBeNull();
  });
});
