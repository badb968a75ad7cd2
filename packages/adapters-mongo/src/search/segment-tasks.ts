import type { SearchPosition, SearchQuery } from '@vitrine/core';
import { comparePlaces, type Tier } from './entry-place.js';
import type { QueryWord } from './query-terms.js';
import type { TermBlock } from './segment-documents.js';
import type { SegmentView, TermRange } from './segment-view.js';

/** How many postings are read first; the growth of that number if none of them led to a hit; and how many times the missing hits to aim for if some did. */
const [FIRST_POSTINGS, GROWTH, AMPLE] = [49_152, 64, 2];
/** Estimate: one hit for this many rows with the rarest word. */
const ROWS_FOR_A_HIT = 20;

/** A rare word has at most this many rows in a segment. The other words are not read then, if they have at least this many postings. */
const [FEW_ROWS, MANY_POSTINGS] = [128, 2_048];

type Word = readonly TermRange[];
type Blocks = ReadonlyMap<string, TermBlock>;

/** How a segment is searched. */
interface TaskPlan {
  /** The rarest word, as far as that is known before reading. */
  readonly lead: Word;
  readonly isLed: boolean;
  /** The number of postings in the blocks that are read first. */
  readonly postingCount: number;
  readonly likelyHits: number;
}

const NOTHING_TO_READ = { lead: [], isLed: false, postingCount: 0 };

/** The cached rows of a segment that are hits of a tier; `null` if the segment must be searched. */
export type Recall = (view: SegmentView, tier: Tier) => Uint16Array | null;

/** A segment that must be searched for hits of a tier. */
export class SegmentTask {
  readonly view: SegmentView;
  /** The same segment for tier 0, whose hits do not belong to tier 1; `null` in the task of tier 0. */
  readonly titles: SegmentTask | null;
  /** A lower bound: no hit of this task has an earlier position. */
  readonly start: SearchPosition;
  /** The rows that match according to the terms; `null` until that is known. */
  matched: Uint16Array | null;
  readonly #words: readonly QueryWord[];
  #knownRanges: readonly Word[] | null = null;
  #knownPlan: TaskPlan | null = null;

  constructor(view: SegmentView, words: readonly QueryWord[], titles: SegmentTask | null, recall: Recall) {
    [this.view, this.titles, this.#words] = [view, titles, words];
    this.start = { tier: this.tier, time: view.newest, type: view.type, id: '' };
    this.matched = recall(view, this.tier);
  }

  get tier(): Tier {
    return this.titles === null ? 0 : 1;
  }

  /** The blocks that must be read first: those of the rarest word if it leads, or else all. */
  get firstBlockIds(): readonly string[] {
    if (this.matched !== null) return [];
    return this.plan.isLed ? idsOf(this.plan.lead) : this.blockIds;
  }

  /** The blocks of all words. */
  get blockIds(): readonly string[] {
    return idsOf(this.#ranges.flat());
  }

  /** For each word, the postings of its terms. */
  postings(blocks: Blocks): readonly (readonly Uint32Array[])[] {
    return this.#ranges.map((word) => postingsOf(word, blocks));
  }

  /** The postings of the rarest word only. */
  leadPostings(blocks: Blocks): readonly (readonly Uint32Array[])[] {
    return [postingsOf(this.plan.lead, blocks)];
  }

  get plan(): TaskPlan {
    return (this.#knownPlan ??= this.matched === null ? planOf(this.#ranges) : { ...NOTHING_TO_READ, likelyHits: this.matched.length });
  }

  get #ranges(): readonly Word[] {
    return (this.#knownRanges ??= this.#words.map((word, index) => this.#rangesOf(word, index)));
  }

  #rangesOf({ title, other }: QueryWord, index: number): Word {
    const { view, titles } = this;
    return titles === null ? title.map((term) => view.rangeOf(term)) : [...(titles.#ranges[index] ?? []), view.rangeOf(other)];
  }
}

/** A word leads if probably only a few rows contain it, and reading those records costs less than reading the postings of the other words. */
function planOf(words: readonly Word[]): TaskPlan {
  const [lead = [], ...others] = [...words].sort((a, b) => likelyCount(a) - likelyCount(b));
  const likely = likelyCount(lead);
  const isLed = likely <= FEW_ROWS && postingCount(others.flat()) >= MANY_POSTINGS;
  return { lead, isLed, postingCount: postingCount(isLed ? lead : words.flat()), likelyHits: likely / ROWS_FOR_A_HIT };
}

/** The segments that must still be searched for hits after a position, sorted by where their next hit may be. */
export class SegmentTasks {
  readonly #limit: number;
  #left: readonly SegmentTask[];
  /** Counts for the tier that was searched last. */
  #seen: { readonly tier: Tier; postings: number; hits: number } = { tier: 0, postings: 0, hits: 0 };

  constructor(views: readonly SegmentView[], words: readonly QueryWord[], { after, limit }: Pick<SearchQuery, 'after' | 'limit'>, recall: Recall) {
    this.#limit = limit;
    const titles = views.map((view) => new SegmentTask(view, words, null, recall));
    const tasks = [...titles, ...titles.map((task) => new SegmentTask(task.view, words, task, recall))];
    this.#left = tasks.filter((task) => mayHoldBehind(task, after)).sort((a, b) => comparePlaces(a.start, b.start));
  }

  /** A lower bound: no hit that was not searched for yet has an earlier position. `null` if everything was searched. */
  get start(): SearchPosition | null {
    return this.#left[0]?.start ?? null;
  }

  /** The tasks that {@link take} returns first for a page. */
  get first(): readonly SegmentTask[] {
    return this.#left.slice(0, this.#countFor(FIRST_POSTINGS, this.#limit));
  }

  /** Takes as many tasks as will probably contain enough hits. */
  take(lacking: number): readonly SegmentTask[] {
    const { postings, hits } = this.#seen;
    const wanted = Math.max(FIRST_POSTINGS, hits === 0 ? GROWTH * postings : (AMPLE * postings * lacking) / hits);
    const taken = postings === 0 ? this.first : this.#left.slice(0, this.#countFor(wanted, Infinity));
    this.#left = this.#left.slice(taken.length);
    return taken;
  }

  #countFor(postings: number, hits: number): number {
    let [postingsLeft, hitsLeft, count] = [postings, hits, 0];
    for (const task of this.#left) {
      if (postingsLeft <= 0 || hitsLeft <= 0) break;
      postingsLeft -= task.plan.postingCount;
      hitsLeft -= task.plan.likelyHits;
      count += 1;
    }
    return count;
  }

  /** Call this with the number of hits of a task that was taken. */
  found(hits: number, { tier, plan }: SegmentTask): void {
    if (tier !== this.#seen.tier) this.#seen = { tier, postings: 0, hits: 0 };
    this.#seen.postings += plan.postingCount;
    this.#seen.hits += hits;
  }
}

function mayHoldBehind({ tier, view: { oldest } }: SegmentTask, after: SearchPosition | null): boolean {
  return after === null || tier > after.tier || (tier === after.tier && oldest <= after.time);
}

function idsOf(ranges: Word): readonly string[] {
  return ranges.flatMap(({ blockIds }) => blockIds);
}

function postingCount(ranges: Word): number {
  return ranges.reduce((sum, range) => sum + range.postingCount, 0);
}

function likelyCount(ranges: Word): number {
  return ranges.reduce((sum, range) => sum + range.likelyCount, 0);
}

function postingsOf(ranges: Word, blocks: Blocks): readonly Uint32Array[] {
  return ranges.flatMap((range) => range.postings(blocks));
}
