import fc from 'fast-check';
import { BlockStream } from './block-stream.js';
import { mergeStreams, type Source } from './merge-streams.js';

const BLOCKS_AHEAD = 8;
/** Sorted sequences of distinct numbers, cut into blocks. */
const sequence = fc
  .tuple(fc.uniqueArray(fc.nat(200), { maxLength: 60 }), fc.integer({ min: 1, max: 5 }))
  .map(([numbers, size]) => ({ numbers: numbers.sort((a, b) => a - b), size }));
type Sequence = typeof sequence extends fc.Arbitrary<infer One> ? One : never;

const asOne = (block: readonly number[]) => block;

/** Merges the sequences, and notes the most blocks that were in memory. */
async function merged(sequences: readonly Sequence[]) {
  const blocks = new Map<string, readonly number[]>();
  const sources = sequences.map(({ numbers, size }, age): Source<readonly number[], number> => {
    const count = Math.ceil(numbers.length / size);
    const ids = Array.from({ length: count }, (_, index) => `${String(age)} ${String(index)}`);
    for (const [index, id] of ids.entries()) blocks.set(id, numbers.slice(index * size, (index + 1) * size));
    const ref = { id: String(age), run: '', rows: numbers.length, newest: 0, oldest: 0 };
    return { segment: { ref, age, places: new Uint32Array(0) }, stream: new BlockStream(ids, asOne) };
  });
  const visits: (readonly [number, number, boolean])[] = [];
  const ended: number[] = [];
  let most = 0;
  await mergeStreams({
    sources,
    order: (a, b) => a - b,
    blocksAhead: BLOCKS_AHEAD,
    read: (ids) => {
      most = Math.max(most, ids.length + sources.reduce((sum, { stream }) => sum + stream.readyCount, 0));
      return Promise.resolve(new Map(ids.map((id) => [id, blocks.get(id) ?? []])));
    },
    visit: (item, { segment }, isFirst) => visits.push([item, segment.age, isFirst]),
    visited: (item) => ended.push(item),
    pause: () => Promise.resolve(),
  });
  return { visits, ended, most };
}

describe('mergeStreams', () => {
  it('visits each item of each source in order, the youngest source first', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(sequence, { maxLength: 12 }), async (sequences) => {
        const all = sequences.flatMap(({ numbers }, age) => numbers.map((item) => ({ item, age }))).sort((a, b) => a.item - b.item || a.age - b.age);
        const { visits, ended } = await merged(sequences);
        expect(visits).toEqual(all.map(({ item, age }, index) => [item, age, item !== all[index - 1]?.item]));
        expect(ended).toEqual([...new Set(all.map(({ item }) => item))]);
      }),
    );
  });

  it('has few blocks in memory, whether the sources follow each other or not', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(sequence, { minLength: 1, maxLength: 12 }), fc.boolean(), async (given, isInTurn) => {
        const sequences = given.map(({ numbers, size }, index) => ({ numbers: numbers.map((item) => (isInTurn ? index * 1_000 : 0) + item), size }));
        expect((await merged(sequences)).most).toBeLessThanOrEqual(BLOCKS_AHEAD + sequences.length);
      }),
    );
  });
});
