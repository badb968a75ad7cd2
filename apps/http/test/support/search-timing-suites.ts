import { Random, type OpenStore } from '@vitrine/core/testing';
import { Api, approving } from './api.js';
import { filledByOthers, imported, shaOf, Stopwatch, worldOf, type Pair, type Side, type World, type WorldShape } from './search-timing.js';

const PAIRS = 2_000;
const GROUP = 3;
const [LOW, HIGH] = [0.45, 0.55];
const LONG = 3_600_000;

/** Every commit of a repository contains every word, so that differences in time are as large as possible. */
const DENSE: WorldShape = { commits: 6_000, words: 6, wordsOfCommit: 6 };
/** Each word is searched only once, as by somebody who guesses words, so that no cache has it. */
const WIDE: WorldShape = { commits: 5_000, words: 6_000, wordsOfCommit: 24 };

type PairsOf = (hidden: Side, absent: Side) => Pair;

const search = (q: string): string => `/api/v1/search?q=${encodeURIComponent(q)}`;
const at = ({ words }: Side, index: number): string => words[index % words.length] ?? '';
const both =
  (ask: (side: Side, index: number) => string): PairsOf =>
  (hidden, absent) =>
  (index) => [ask(hidden, index), ask(absent, index)];

const word = both((side, index) => search(at(side, index)));

/** Searches by somebody who knows, or guesses, something about a hidden record. */
const OTHERS: readonly (readonly [string, PairsOf])[] = [
  ['the beginning of a word', both((side, index) => search(at(side, index).slice(0, 5)))],
  ['a word beside a public one', both((side, index) => search(`common ${at(side, index)}`))],
  ['the beginning of a sha', both((side, index) => search(shaOf(side, index).slice(0, 10)))],
  ['the name of a repository', both((side) => search(side.name))],
  ['a repository as a filter', both((side) => `/api/v1/development/commits?repository=acme/${side.name}`)],
  ['an author as a filter', both((side, index) => `/api/v1/development/commits?author=${at(side, index)}`)],
];

/** Checks that response times reveal nothing about hidden records in stores that Vitrine fills, and that the measurement would detect it. */
export function searchTimingSuites(openStore: OpenStore, { isEmbedded = false } = {}): void {
  const open = () => Api.open({ approved: approving('acme/widget'), cacheAnswers: false, openStore });

  async function measured(api: Api, measure: (stopwatch: Stopwatch) => Promise<number>): Promise<number> {
    const stopwatch = new Stopwatch(api, GROUP);
    const area = await measure(stopwatch);
    stopwatch.close();
    return area;
  }

  async function expectNothingTold(api: Api, pair: Pair): Promise<void> {
    const area = await measured(api, (stopwatch) => stopwatch.areaWithin(LOW, HIGH, PAIRS, pair));
    expect(area).toBeGreaterThanOrEqual(LOW);
    expect(area).toBeLessThanOrEqual(HIGH);
  }

  const sides = ['skipped', 'left'] as const;
  const told = {
    skipped: 'of a repository that was never approved',
    left: 'of a repository that has left the list',
  };

  describe.each([['few words, each in every commit', DENSE] as const, ['many words', WIDE] as const])(
    'the response time of a search, when hidden commits contain %s',
    (_, ofWorld) => {
      let [api, world]: [Api | null, World | null] = [null, null];

      beforeAll(async () => {
        world = worldOf(new Random(26), ofWorld);
        api = await open();
        await imported(api.store, world);
      }, LONG);

      afterAll(() => api?.close());

      const asked = [['a word', word] as const, ...OTHERS];
      it.each(asked.flatMap(([what, pairsOf]) => sides.map((side) => [`${what} ${told[side]}`, pairsOf, side] as const)))(
        'does not distinguish %s from a word that does not exist',
        async (__, pairsOf, side) => {
          if (api === null || world === null) throw new Error('nothing is open');
          await expectNothingTold(api, pairsOf(world[side], world.absent));
        },
        LONG,
      );
    },
  );

  it(
    isEmbedded
      ? 'distinguishes the words if search has entries of hidden commits, by the same measurement'
      : 'does not distinguish the words either if a collector that ignores the list has filled the store',
    async () => {
      const world = worldOf(new Random(26), DENSE);
      const api = await open();
      await filledByOthers(api.store, world);
      const pair = word(world.left, world.absent);
      if (isEmbedded) expect(await measured(api, (stopwatch) => stopwatch.areaAbove(HIGH, PAIRS / 2, pair))).toBeGreaterThan(HIGH);
      else await expectNothingTold(api, pair);
      await api.close();
    },
    LONG,
  );
}
