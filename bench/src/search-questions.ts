import type { SearchPosition } from '@vitrine/core';
import { elementOf } from './element-of.js';
import { timeOnce } from './measure.js';
import { mustBe } from './wrong-answer.js';

/** A page of a search, and the ids of its expected hits. */
export interface Question {
  readonly q: string;
  readonly after: SearchPosition | null;
  readonly ids: readonly string[];
}

/** Runs a search. */
export type Run = (
  q: string,
  after: SearchPosition | null,
) => Promise<{ readonly items: readonly { readonly id: string }[]; readonly next: SearchPosition | null }>;

/** Measures each search once, in milliseconds. Throws if a response is not the expected one. */
export function timeSearches(run: Run, questions: readonly Question[]): Promise<number[]> {
  return timeOnce(
    questions.length,
    (index) => run(elementOf(questions, index).q, elementOf(questions, index).after),
    ({ items }, index) => {
      const { q, ids } = elementOf(questions, index);
      mustBe(
        `search for "${q}"`,
        items.map(({ id }) => id),
        ids,
      );
    },
  );
}
