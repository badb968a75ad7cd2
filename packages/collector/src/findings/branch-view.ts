import type { History, Reach } from './history.js';

/** A branch with more own commits is another line of development. */
export const MOST_OWN_COMMITS = 2_000;

/** What a branch has that the default branch does not contain. */
export interface BranchView {
  readonly name: string;
  readonly tip: string;
  /** The places of its own commits without merges, parents first. */
  readonly own: readonly number[];
  /** The last commits that it shares with the default branch; none if the histories are unrelated. */
  readonly bases: readonly string[];
  /** Whether the history that was fetched ends before the two branches meet, so that its own commits are unknown. */
  readonly isCut: boolean;
  /** Whether it has more than {@link MOST_OWN_COMMITS}; `own` is incomplete then. */
  readonly isTooLong: boolean;
}

/** @param edge the commits whose parents were not fetched */
export function branchView(
  history: History,
  inDefault: Reach,
  { name, tip, edge }: { readonly name: string; readonly tip: string; readonly edge: ReadonlySet<string> },
): BranchView {
  const start = history.placeOf(tip);
  const seen = new Set<number>();
  const shared: number[] = [];
  const waiting = start === null ? [] : [start];
  for (let place = waiting.pop(); place !== undefined && seen.size <= MOST_OWN_COMMITS; place = waiting.pop()) {
    if (inDefault[place] === 1) shared.push(place);
    else if (!seen.has(place)) {
      seen.add(place);
      waiting.push(...history.parentsAt(place));
    }
  }
  const own = [...seen].filter((place) => history.parentsAt(place).length < 2).sort((a, b) => a - b);
  return {
    name,
    tip,
    own,
    bases: history.independent(shared),
    isCut: [...seen].some((place) => edge.has(history.shaAt(place))),
    isTooLong: seen.size > MOST_OWN_COMMITS,
  };
}
