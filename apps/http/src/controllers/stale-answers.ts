import type { Instant } from '@vitrine/core';
import { LRUCache } from 'lru-cache';
import type { KeptAnswer } from '../serving/cache.js';
import type { FinishedAnswer } from '../serving/finished-answer.js';

/** Memory of the stale answers together with the kept ones that they were made from. */
const MAX_BYTES = 8 * 1_024 * 1_024;
/** An answer and its compressed forms take less than this factor of its plain body. */
const CODINGS_WEIGHT = 2;

interface StaleAnswer {
  readonly answer: FinishedAnswer;
  readonly madeAt: Instant;
}

/** The answers that are sent while the store fails, each made once from a kept answer: during an outage the process has the least time. */
export class StaleAnswers<Facts extends { readonly again?: unknown }> {
  readonly #answers = new LRUCache<KeptAnswer<Facts>, StaleAnswer>({ maxSize: MAX_BYTES });

  /** The stale form of a kept answer. One that is judged again depends on the present time, so it is only reused within the same millisecond. */
  of(kept: KeptAnswer<Facts>, now: Instant, make: () => FinishedAnswer): FinishedAnswer {
    const known = this.#answers.get(kept);
    if (known !== undefined && (kept.facts.again === undefined || known.madeAt === now)) return known.answer;
    const answer = make();
    this.#answers.set(kept, { answer, madeAt: now }, { size: kept.answer.bytes + kept.extraBytes + CODINGS_WEIGHT * answer.bytes });
    return answer;
  }
}
