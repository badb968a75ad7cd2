import { compareText, type Instant, type RepositoryRef, type SearchPosition, type SearchWords } from '@vitrine/core';
import { NOW, Random } from '@vitrine/core/testing';
import fc from 'fast-check';
import { DamagedSegmentError } from '../src/search/segments/damaged-segment-error.js';
import { PostingIntersection } from '../src/search/segments/posting-intersection.js';
import { MAX_ENTRIES } from '../src/search/segments/posting.js';
import { SegmentWalk, type FoundEntry } from '../src/search/segments/segment-walk.js';
import type { NewEntry } from '../src/search/segments/segment.js';
import { titleTerm } from '../src/search/segments/terms.js';
import { MemoryBlocks } from './support/memory-blocks.js';

const REFS: readonly [RepositoryRef, ...RepositoryRef[]] = ['acme/widget', 'acme/gadget', 'acme/secret'];
const WORDS: readonly [string, ...string[]] = ['ca', 'cat', 'category', 'catalogue', 'dog', 'do', 'zebra', 'é', '東京'];
const intersection = new PostingIntersection();

/** A record as far as search knows it. */
interface Indexed {
  readonly key: string;
  readonly time: Instant;
  readonly repositoryRef: RepositoryRef;
  readonly title: readonly string[];
  readonly other: readonly string[];
}

function entryOf({ key, time, repositoryRef, title, other }: Indexed): NewEntry {
  const terms = [...title.map(titleTerm), ...other.filter((word) => !title.includes(word))];
  return { type: 'news', entry: { time, recordKey: key, repositoryRef, isTombstone: false }, terms: [...new Set(terms)] };
}

function tombstoneOf(record: Indexed): NewEntry {
  return { ...entryOf(record), entry: { ...entryOf(record).entry, isTombstone: true }, terms: [] };
}

/** The tier of a record for a query, by looking at its words; `null` if it is not a hit. */
function tierOf({ title, other }: Indexed, { whole, prefix }: SearchWords): 0 | 1 | null {
  const holds = (words: readonly string[]) =>
    whole.every((word) => words.includes(word)) && (prefix === null || words.some((word) => word.startsWith(prefix)));
  if (holds(title)) return 0;
  return holds([...title, ...other]) ? 1 : null;
}

/** All hits, from a scan over all records. */
function scanned(records: ReadonlyMap<string, Indexed>, words: SearchWords): SearchPosition[] {
  return [...records.values()]
    .flatMap((record): SearchPosition[] => {
      const tier = tierOf(record, words);
      return tier === null ? [] : [{ tier, time: record.time, type: 'news', id: record.key }];
    })
    .sort((a, b) => a.tier - b.tier || b.time - a.time || compareText(a.id, b.id));
}

/** All hits on all pages of a search in segments. As in the adapter, an entry is a hit only if its record says so. */
async function searched(blocks: MemoryBlocks, records: ReadonlyMap<string, Indexed>, words: SearchWords, limit: number): Promise<SearchPosition[]> {
  const isHit = ({ entry, position }: FoundEntry) => {
    const record = records.get(entry.recordKey);
    return record?.time === entry.time && record.repositoryRef === entry.repositoryRef && tierOf(record, words) === position.tier;
  };
  const hits: SearchPosition[] = [];
  for (let after: SearchPosition | null = null; ;) {
    const walk = await SegmentWalk.open(blocks, { words, types: ['news'], limit, after, to: NOW }, intersection);
    const page: SearchPosition[] = [];
    while (page.length <= limit) {
      const found = await walk.next(limit + 1 - page.length);
      if (found.length === 0) break;
      page.push(...found.filter(isHit).map(({ position }) => position));
    }
    hits.push(...page.slice(0, limit));
    after = hits.at(-1) ?? null;
    if (page.length <= limit) return hits;
  }
}

function someWords(random: Random, most: number): readonly string[] {
  return Array.from({ length: random.int(most + 1) }, () => random.pick(WORDS));
}

function aRecord(random: Random, keys: number): Indexed {
  const serial = random.int(keys);
  // The key of a record names its repository, so another repository is another key.
  const repositoryRef = REFS[serial % 3] ?? REFS[0];
  const time = NOW - random.int(6) * 1_000;
  return { key: `record-${String(serial)}`, time, repositoryRef, title: someWords(random, 2), other: someWords(random, 4) };
}

function aQuery(random: Random): SearchWords {
  const whole = Array.from({ length: random.int(3) }, () => random.pick(WORDS));
  return { whole, prefix: whole.length > 0 && random.chance(0.5) ? null : random.pick(WORDS).slice(0, 1 + random.int(3)) };
}

/** Writes a batch of new, changed and removed records, as the writer does. */
async function write(random: Random, blocks: MemoryBlocks, records: Map<string, Indexed>, keys: number): Promise<void> {
  const batch = new Map<string, NewEntry>();
  const put = (one: NewEntry) => batch.set(`${one.entry.recordKey} ${String(one.entry.time)}`, one);
  const changed = new Set<string>();
  for (let count = 1 + random.int(40); count > 0; count--) {
    const record = aRecord(random, keys);
    if (changed.has(record.key)) continue;
    changed.add(record.key);
    const stored = records.get(record.key);
    const isRemoved = stored !== undefined && random.chance(0.2);
    if (stored !== undefined && (isRemoved || stored.time !== record.time)) put(tombstoneOf(stored));
    if (isRemoved) records.delete(record.key);
    else {
      put(entryOf(record));
      records.set(record.key, record);
    }
  }
  await blocks.add([...batch.values()]);
}

/** Records with increasing keys, a second apart, so that every run has other times. */
function records(from: number, count: number, titleOf: (serial: number) => readonly string[]): readonly Indexed[] {
  return Array.from({ length: count }, (_, index) => {
    const serial = from + index;
    const key = `record-${String(serial).padStart(6, '0')}`;
    return { key, time: NOW - serial * 1_000, repositoryRef: REFS[serial % 3] ?? 'acme/widget', title: titleOf(serial), other: ['common'] };
  });
}

const asMap = (all: readonly Indexed[]) => new Map(all.map((record) => [record.key, record]));
const words = (...whole: string[]): SearchWords => ({ whole, prefix: null });

describe('a search in segments', () => {
  it('finds what a scan finds, in the same order, on every page, after any writes, removals and merges', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), async (seed) => {
        const random = new Random(seed);
        const [blocks, stored] = [new MemoryBlocks('news'), new Map<string, Indexed>()];
        const keys = 1 + random.int(random.chance(0.2) ? 400 : 60);
        for (let left = 1 + random.int(24); left > 0; left--) {
          await write(random, blocks, stored, keys);
          if (random.chance(0.3)) await blocks.mergeAll();
          if (random.chance(0.1)) await blocks.merge(1 + random.int(4));
        }
        for (let left = 8; left > 0; left--) {
          const query = aQuery(random);
          expect({ query, hits: await searched(blocks, stored, query, 1 + random.int(20)) }).toEqual({ query, hits: scanned(stored, query) });
        }
      }),
      { numRuns: 60 },
    );
  });

  it('finds the same before and after a merge of runs that have several segments and overlap in time', async () => {
    const blocks = new MemoryBlocks('news');
    const titleOf = (serial: number) => [`w${(serial % 977).toString(36)}`, ...(serial % 1_000 === 0 ? ['rare'] : [])];
    const all = records(0, MAX_ENTRIES + 5_000, titleOf);
    for (let part = 0; part < 3; part++)
      await blocks.add(
        all
          .filter((_, serial) => serial % 3 === part)
          .slice(0, MAX_ENTRIES)
          .map(entryOf),
      );
    const stored = asMap(all);
    const queries = [words('rare'), words('rare', 'common'), words('w0', 'rare'), { whole: [], prefix: 'w1' }, { whole: ['w5'], prefix: 'ra' }];
    const hits = () => Promise.all(queries.map((query) => searched(blocks, stored, query, 500)));
    const before = await hits();
    await blocks.merge(3);
    expect(blocks.segments.map(({ rows }) => rows)).toEqual([MAX_ENTRIES, 5_000]);
    expect(await hits()).toEqual(before);
    expect(before).toEqual(queries.map((query) => scanned(stored, query)));
  });

  it('finds a record at its new position only, while its tombstone is in a younger segment than its old entry', async () => {
    const blocks = new MemoryBlocks('news');
    const [old] = records(5, 1, () => ['zebra']);
    if (old === undefined) throw new Error('no record');
    const moved = { ...old, time: NOW };
    await blocks.add([entryOf(old)]);
    await blocks.add([tombstoneOf(old), entryOf(moved)]);
    expect(await searched(blocks, asMap([moved]), words('zebra'), 5)).toEqual([{ tier: 0, time: NOW, type: 'news', id: old.key }]);
  });
});

describe('a merge', () => {
  const filled = async (): Promise<MemoryBlocks> => {
    const blocks = new MemoryBlocks('news');
    for (let part = 0; part < 4; part++) await blocks.add(records(part * 3_000, 3_000, (serial) => [`w${String(serial)}`]).map(entryOf));
    return blocks;
  };

  it('reads every block of entries and terms once, and few of them at a time', async () => {
    const blocks = await filled();
    const known = [...blocks.blocks.values()].filter(({ kind }) => kind !== 'directory').map(({ id }) => id);
    const read: (readonly string[])[] = [];
    for (const name of ['termBlocks', 'entryBlocks'] as const) {
      const original = blocks[name].bind(blocks) as (ids: readonly string[]) => Promise<never>;
      blocks[name] = (ids: readonly string[]) => {
        read.push(ids);
        return original(ids);
      };
    }
    await blocks.merge(4);
    expect(read.flat().sort()).toEqual(known.sort());
    expect(Math.max(...read.map(({ length }) => length))).toBeLessThanOrEqual(256);
  });

  it('keeps tombstones as long as there are older runs, and drops them when there are none', async () => {
    const blocks = new MemoryBlocks('news');
    const [first, second] = records(0, 2, () => ['zebra']).map(entryOf);
    const gone = records(0, 1, () => ['zebra']).map(tombstoneOf);
    if (first === undefined || second === undefined) throw new Error('no record');
    await blocks.add([first]);
    await blocks.add([second]);
    await blocks.add(gone);
    await blocks.merge(2);
    expect(blocks.segments.map(({ rows }) => rows)).toEqual([1, 2]);
    await blocks.merge(2);
    expect(blocks.segments.map(({ rows }) => rows)).toEqual([1]);
  });

  it('leaves no term of entries that are not kept', async () => {
    const blocks = new MemoryBlocks('news');
    const all = records(0, 300, (serial) => (serial % 3 === 2 ? ['secretword'] : ['openword'])).map(entryOf);
    await blocks.add(all.slice(0, 150));
    await blocks.add(all.slice(150));
    await blocks.merge(2, ({ repositoryRef }) => repositoryRef !== 'acme/secret');
    const left = JSON.stringify([...blocks.blocks.values()]);
    expect(['secretword', 'acme/secret', 'openword'].filter((text) => left.includes(text))).toEqual(['openword']);
    expect(blocks.segments.map(({ rows }) => rows)).toEqual([200]);
  });

  it('leaves no segment if no entry is kept', async () => {
    const blocks = await filled();
    await blocks.merge(4, () => false);
    expect([blocks.segments, blocks.blocks.size]).toEqual([[], 0]);
  });

  it.each(['', ' t1', ' r3'])('rejects and replaces nothing if a block is missing: "%s"', async (block) => {
    const blocks = await filled();
    const before = blocks.segments;
    blocks.blocks.delete(`${before[2]?.id ?? ''}${block}`);
    await expect(blocks.merge(4)).rejects.toThrow(DamagedSegmentError);
    expect(blocks.segments).toBe(before);
  });

  it('rejects if the directory names fewer terms than the blocks have', async () => {
    const blocks = await filled();
    const id = blocks.segments[1]?.id ?? '';
    const directory = blocks.blocks.get(id);
    if (directory?.kind !== 'directory') throw new Error('no directory');
    const { terms, sizes } = directory.value;
    blocks.blocks.set(id, { ...directory, value: { ...directory.value, terms: terms.slice(1), sizes } });
    await expect(blocks.merge(4)).rejects.toThrow(DamagedSegmentError);
  });
});
