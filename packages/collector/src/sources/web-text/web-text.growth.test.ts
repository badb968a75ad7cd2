import { isTorture } from '@vitrine/test-support';
import { patternsOf, requireLinearGrowth, somePatterns } from '@vitrine/test-support/growth';
import { plainText } from './plain-text.js';

/** In a torture run more than any text of a document that is fetched. */
const LENGTH = isTorture ? 1_000_000 : 200_000;

const markup = patternsOf({
  pieces: [
    'a',
    '<',
    '>',
    '<a ',
    '</',
    '<!--',
    '-->',
    '&',
    '&amp;',
    '&#',
    '&#x41;',
    '"',
    '=',
    '<div>',
    '<a b="',
    '<![CDATA[',
    '<script>',
    '</script>',
    '<x#>',
  ],
  brackets: [
    ['<div>', '</div>'],
    ['<script>', '</script>'],
  ],
});

it.each(somePatterns(markup, 4))('turns HTML into text in a time that grows with its length: $name', (pattern) => {
  requireLinearGrowth(plainText, pattern, LENGTH);
});
