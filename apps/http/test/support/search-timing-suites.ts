import { Random, type OpenStore } from '@vitrine/core/testing';
import { Api, approving } from './api.js';
import { filledByOthers, imported, linesOf, nameOf, shaOf, Stopwatch, wordsOf, type Pair, type Words } from './search-timing.js';

const torture = process.env['VITRINE_TORTURE'] === '1';
const PAIRS = torture ? 2_000 : 400;
const GROUP = torture ? 3 : 1;
const [LOW, HIGH] = [0.45, 0.55];
/** Each word is asked for once, as somebody does who guesses. */
const WORD_COUNT = GROUP * PAIRS - ((GROUP * PAIRS) % 24);
const HIDDEN_COMMITS = torture ? 5_000 : 400;
const LONG = 3_600_000;

const search = (q: string): string => `/api/v1/search?q=${encodeURIComponent(q)}`;

type PairsOf = (hidden: readonly string[], absent: readonly string[]) => Pair;

const at = (words: readonly string[], index: number): string => words[index % words.length] ?? '';

const word: PairsOf = (hidden, absent) => (index) => [search(at(hidden, index)), search(at(absent, index))];

/** What somebody may ask who knows, or guesses, something of a hidden record. */
const OTHERS: readonly (readonly [string, PairsOf])[] = [
  ['the beginning of a word', (hidden, absent) => (index) => [search(at(hidden, index).slice(0, 5)), search(at(absent, index).slice(0, 5))]],
  ['a word beside a public one', (hidden, absent) => (index) => [search(`common ${at(hidden, index)}`), search(`common ${at(absent, index)}`)]],
  ['a sha', (hidden, absent) => (index) => [search(shaOf(hidden, index % HIDDEN_COMMITS)), search(shaOf(absent, index % HIDDEN_COMMITS))]],
  ['the name of a repository', (hidden, absent) => (index) => [search(nameOf(hidden, index)), search(nameOf(absent, index))]],
  [
    'a repository as a filter',
    (hidden, absent) => (index) => [
      `/api/v1/development/commits?repository=acme/${nameOf(hidden, index)}`,
      `/api/v1/development/commits?repository=acme/${nameOf(absent, index)}`,
    ],
  ],
  [
    'an author',
    (hidden, absent) => (index) => [
      `/api/v1/development/commits?author=${at(hidden, index * 24)}`,
      `/api/v1/development/commits?author=${at(absent, index * 24)}`,
    ],
  ],
];

/** That time tells nothing of hidden records in stores that Vitrine fills, and that the measurement would see it. */
export function searchTimingSuites(openStore?: OpenStore): void {
  const open = () => Api.open({ approved: approving('acme/widget'), ...(openStore === undefined ? {} : { openStore }) });

  describe('the time of an answer at the port', () => {
    let [api, words, stopwatch]: [Api | null, Words | null, Stopwatch | null] = [null, null, null];

    beforeAll(async () => {
      const random = new Random(26);
      words = wordsOf(random, WORD_COUNT);
      api = await open();
      await imported(api.store, words, linesOf(random, words, HIDDEN_COMMITS));
      stopwatch = new Stopwatch(api, GROUP);
    }, LONG);

    afterAll(async () => {
      stopwatch?.close();
      await api?.close();
    });

    const asked = [['a word', word] as const, ...(torture ? OTHERS : [])];
    const cases = asked.flatMap(([what, pairsOf]) => (['skipped', 'left'] as const).map((kind) => ({ what, pairsOf, kind })));

    it.each(cases)(
      'does not tell $what of hidden records ($kind) from one that exists nowhere',
      async ({ pairsOf, kind }) => {
        if (words === null || stopwatch === null) throw new Error('nothing is open');
        const area = await stopwatch.areaWithin(LOW, HIGH, PAIRS, pairsOf(words[kind], words.absent));
        if (torture) console.info(area);
        expect(area).toBeGreaterThanOrEqual(LOW);
        expect(area).toBeLessThanOrEqual(HIGH);
      },
      LONG,
    );
  });

  describe('the measurement', () => {
    // An entry costs a search in memory far less than one on MongoDB.
    const [commits, pairs] = openStore === undefined ? [10_000, 150] : [100, 40];

    it(
      'tells a word of hidden records from one that exists nowhere when search holds hidden entries',
      async () => {
        const random = new Random(27);
        const words = wordsOf(random, 6);
        const api = await open();
        await filledByOthers(api.store, words.skipped, commits);
        const stopwatch = new Stopwatch(api, 3);
        const area = await stopwatch.area(pairs, word(words.skipped, words.absent));
        stopwatch.close();
        await api.close();
        expect(area).toBeGreaterThan(HIGH);
      },
      LONG,
    );
  });
}
