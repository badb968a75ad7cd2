import type { SearchPosition } from '@vitrine/core';
import type { TermBlock } from './blocks.js';
import type { Tier } from './position.js';
import type { WordPostings } from './posting-intersection.js';
import type { QueryWord } from './query-terms.js';
import type { SegmentView, TermRange } from './segment-view.js';

/** Estimate: one hit for this many entries with the rarest word. */
const ENTRIES_FOR_A_HIT = 20;

/** A rare word is in at most this many entries of a segment. The other words are not read then, if they have at least this many postings. */
const [FEW_ENTRIES, MANY_POSTINGS] = [128, 2_048];

type Word = readonly TermRange[];
type Blocks = ReadonlyMap<string, TermBlock>;

/** How a segment is searched. */
interface TaskPlan {
  /** The rarest word, as far as that is known before reading. */
  readonly lead: Word;
  /** Whether only the posting lists of the rarest word are read at first. */
  readonly isLed: boolean;
  /** The number of postings in the blocks that are read first. */
  readonly postingCount: number;
  readonly likelyHits: number;
}

const NOTHING_TO_READ = { lead: [], isLed: false, postingCount: 0 };

/** The cached document ids of a segment that are hits of a tier; `null` if the segment must be searched. */
export type Recall = (view: SegmentView, tier: Tier) => Uint16Array | null;

/** A segment that must be searched for hits of a tier. */
export class SegmentTask {
  readonly view: SegmentView;
  /** The same segment for tier 0, whose hits do not belong to tier 1; `null` in the task of tier 0. */
  readonly titles: SegmentTask | null;
  /** A lower bound: no hit of this task has an earlier position. */
  readonly start: SearchPosition;
  /** The document ids that match according to the posting lists; `null` until that is known. */
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

  /** The posting lists of each word. */
  postings(blocks: Blocks): readonly WordPostings[] {
    return this.#ranges.map((word) => postingsIn(word, blocks));
  }

  /** The posting lists of the rarest word only. */
  leadPostings(blocks: Blocks): readonly WordPostings[] {
    return [postingsIn(this.plan.lead, blocks)];
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

/** A word leads if probably only a few entries contain it, and reading those records costs less than reading the posting lists of the other words. */
function planOf(words: readonly Word[]): TaskPlan {
  const [lead = [], ...others] = [...words].sort((a, b) => likelyCount(a) - likelyCount(b));
  const likely = likelyCount(lead);
  const isLed = likely <= FEW_ENTRIES && postingCount(others.flat()) >= MANY_POSTINGS;
  return { lead, isLed, postingCount: postingCount(isLed ? lead : words.flat()), likelyHits: likely / ENTRIES_FOR_A_HIT };
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

function postingsIn(ranges: Word, blocks: Blocks): WordPostings {
  return ranges.flatMap((range) => range.postings(blocks));
}
