import { NOW } from '@vitrine/core/testing';
import { mustBe } from './wrong-answer.js';

export const COMMITS = '/api/v1/development/commits';

/** Returns a different page with each call, far from the previous one, so that caches hardly help. */
export function pagesByTime() {
  let count = 0;
  return () => {
    const to = new Date(NOW - ((count++ * 7_919) % 8_900) * 1_000_000);
    return { path: `${COMMITS}?to=${to.toISOString()}`, to };
  };
}

/** Checks that the body of a list holds these commits. */
export function mustList(path: string, shas: readonly string[]) {
  return (body: unknown): void => {
    const { data } = body as { readonly data: readonly { readonly sha: string }[] };
    mustBe(
      path,
      data.map(({ sha }) => sha),
      shas,
    );
  };
}
