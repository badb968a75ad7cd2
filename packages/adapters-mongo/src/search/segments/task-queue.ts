import type { SearchPosition, SearchQuery } from '@vitrine/core';
import { comparePositions, type Tier } from './position.js';
import type { QueryWord } from './query-terms.js';
import { SegmentTask, type Recall } from './segment-task.js';
import type { SegmentView } from './segment-view.js';

/** How many postings are read first; the growth of that number if none of them led to a hit; and how many times the missing hits to aim for if some did. */
const [FIRST_POSTINGS, GROWTH, AMPLE] = [49_152, 64, 2];

/** The segments that must still be searched for hits after a position, sorted by where their next hit may be. */
export class TaskQueue {
  readonly #limit: number;
  #left: readonly SegmentTask[];
  /** Counts for the tier that was searched last. */
  #seen: { readonly tier: Tier; postings: number; hits: number } = { tier: 0, postings: 0, hits: 0 };

  constructor(views: readonly SegmentView[], words: readonly QueryWord[], { after, limit }: Pick<SearchQuery, 'after' | 'limit'>, recall: Recall) {
    this.#limit = limit;
    const titles = views.map((view) => new SegmentTask(view, words, null, recall));
    const tasks = [...titles, ...titles.map((task) => new SegmentTask(task.view, words, task, recall))];
    this.#left = tasks.filter((task) => mayHoldAfter(task, after)).sort((a, b) => comparePositions(a.start, b.start));
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

  /** Call this with the number of hits of a task that was taken. */
  found(hits: number, { tier, plan }: SegmentTask): void {
    if (tier !== this.#seen.tier) this.#seen = { tier, postings: 0, hits: 0 };
    this.#seen.postings += plan.postingCount;
    this.#seen.hits += hits;
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
}

function mayHoldAfter({ tier, view: { oldest } }: SegmentTask, after: SearchPosition | null): boolean {
  return after === null || tier > after.tier || (tier === after.tier && oldest <= after.time);
}
