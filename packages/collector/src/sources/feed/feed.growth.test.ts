import { isTorture, itInTorture } from '@vitrine/test-support';
import { patternsOf, requireLinearGrowth, somePatterns } from '@vitrine/test-support/growth';
import { NEWS, parseItems } from './feed-source.js';
import { VIDEOS } from '../video/video-source.js';

const LENGTH = isTorture ? 1_200_000 : 150_000;
const NOW = Date.UTC(2026, 10, 20, 12);
const ORIGIN = {
  label: 'Acme',
  address: 'https://acme.example/feed',
  allowPrivate: false,
  publicUrl: null,
  isOfficial: false,
};

const PIECES = [
  'a',
  '<a#>x</a#>',
  '<a#/>',
  '<a x#="1"/>',
  '<n#:a xmlns:n#="u#"/>',
  '<',
  '>',
  '&',
  '&amp;',
  ']]>',
  '<![CDATA[x',
  '<!--',
  '-->',
  '<?x?>',
  '"',
  '=',
];
const RSS = [
  '<item>',
  '</item>',
  '<item><title>#</title></item>',
  '<item><guid>#</guid></item>',
  '<item><category>#</category></item>',
  '<item><media:group>',
];
const ATOM = ['<entry><id>#</id>', '</entry>', '<link href="#"/>', '<category term="#"/>', '<content type="xhtml"><div>'];
const brackets = [
  ['<a>', '</a>'],
  ['<item>', '</item>'],
  ['<![CDATA[', ']]>'],
] as const;

const languages = {
  RSS: { frame: ['<rss version="2.0"><channel>', '</channel></rss>'], pieces: [...PIECES, ...RSS], brackets },
  Atom: { frame: ['<feed xmlns="http://www.w3.org/2005/Atom">', '</feed>'], pieces: [...PIECES, ...ATOM], brackets },
  JSON: {
    frame: ['{"version":"https://jsonfeed.org/version/1.1","title":"x","items":[', '{}]}'],
    pieces: ['{"id":"#","title":"x"},', '[],', '{"a#":1},', '"#",', '{"id":"1","content_html":"<a"},', '{"tags":["#"],"id":"#"},', 'null,', '1e999,'],
    brackets: [
      ['[', ']'],
      ['{"items":[', ']}'],
      ['{"a":', '1}'],
    ],
  },
} as const;

describe.each(Object.entries(languages))('a feed of %s', (_, language) => {
  it('is read in a time that grows with its length, whatever it holds', () => {
    for (const pattern of somePatterns(patternsOf(language), 2)) {
      requireLinearGrowth((text) => parseItems(NEWS, { body: Buffer.from(text), contentType: '' }, { origin: ORIGIN, now: NOW }), pattern, LENGTH);
    }
  });

  itInTorture('is read as videos in such a time, too', () => {
    const origin = { ...ORIGIN, repositoryRef: '-' } as const;
    for (const pattern of somePatterns(patternsOf(language), 1)) {
      requireLinearGrowth((text) => parseItems(VIDEOS, { body: Buffer.from(text), contentType: '' }, { origin, now: NOW }), pattern, LENGTH);
    }
  });
});
