import { NOW } from '@vitrine/core/testing';
import { mustBe } from './wrong-answer.js';

export const COMMITS = '/api/v1/development/commits';

const PAGES = 8_900;

/** Returns a different page with each call, far from the previous one, so that caches hardly help. After 8,900 calls, the same pages have other addresses. */
export function pagesByTime() {
  let count = 0;
  return () => {
    const others = Math.floor(count / PAGES);
    const to = new Date(NOW - ((count++ * 7_919) % PAGES) * 1_000_000 + others);
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
