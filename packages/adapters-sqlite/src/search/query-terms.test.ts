import { SEARCH_TYPES, searchWordsOf } from '@vitrine/core';
import { matchesOf, type WordsFrom } from './entry-words.js';

const none: WordsFrom = () => [];

function matches(q: string, types: readonly (typeof SEARCH_TYPES)[number][] = SEARCH_TYPES, wordsFrom = none) {
  const words = searchWordsOf(q);
  if (words === null) throw new Error(`${q} holds no word`);
  return matchesOf(words, wordsFrom)(types);
}

describe('matchesOf', () => {
  it('asks for title hits, and for all other hits', () => {
    expect(matches('go pag')).toEqual(['("tgo") AND ("tpag" *)', '(("ago") AND ("apag" *)) NOT (("tgo") AND ("tpag" *))']);
  });

  it('asks for the beginning of a sha beside a word that may be one', () => {
    const [titles] = matches('deadbeef99 ca');
    expect(titles).toBe('("tdeadbeef99" OR "hdeadbeef" *) AND ("tca" * OR "hca" *)');
    expect(matches('beef x1')[0]).toBe('("tbeef") AND ("tx1" *)');
  });

  it('names the types unless all are wanted', () => {
    expect(matches('go', ['commit', 'news'])[0]).toBe('("tgo" *) AND ("k1" OR "k4")');
  });

  it('names the words with a prefix that is longer than the indexed ones', () => {
    const asked: string[] = [];
    const wordsFrom: WordsFrom = (prefix) => {
      asked.push(prefix);
      return [`${prefix}s`, `${prefix}t`];
    };
    expect(matches('sixsix', SEARCH_TYPES, wordsFrom)[0]).toBe('("tsixsixs" OR "tsixsixt")');
    expect(matches('four', SEARCH_TYPES, wordsFrom)[0]).toBe('("tfour" *)');
    expect(matches('fivef', SEARCH_TYPES, wordsFrom)[0]).toBe('("tfivefs" OR "tfiveft")');
    expect(matches('x 東京', SEARCH_TYPES, wordsFrom)[0]).toBe('("tx") AND ("t東京" *)');
    expect(asked).toEqual(['tsixsix', 'asixsix', 'tfivef', 'afivef']);
  });

  it('asks for the prefix if too many words begin with it, or none', () => {
    const many: WordsFrom = (prefix, limit) => Array.from({ length: limit }, (_, index) => prefix + String(index));
    expect(matches('sixsix', SEARCH_TYPES, many)[0]).toBe('("tsixsix" *)');
    expect(matches('sixsix')[0]).toBe('("tsixsix" *)');
  });
});
