import { Descent, type History, type Reach } from './history.js';

/** Each of them needs a walk over the history. */
const MOST_MERGES = 100;

/**
 * The commits that reverts among the marked commits undo. A revert that was itself reverted undoes nothing. The revert of a merge undoes all that the merge
 * brought.
 *
 * @param lowest the lowest marked place, if no commit below it is needed
 */
export function revertedIn(history: History, marks: Reach, lowest = 0): ReadonlySet<number> {
  const undone = undoneBy(revertersIn(history, marks, lowest));
  const merges = [...undone].filter((place) => history.parentsAt(place).length > 1);
  for (const merge of merges.slice(0, MOST_MERGES)) for (const place of broughtBy(history, merge, lowest)) undone.add(place);
  return undone;
}

function revertersIn(history: History, marks: Reach, lowest: number): ReadonlyMap<number, readonly number[]> {
  const reverters = new Map<number, number[]>();
  for (let place = lowest; place < history.size; place++) {
    if (marks[place] !== 1) continue;
    for (const target of history.placesOf(history.noteAt(place)?.reverts ?? [])) {
      // In place, because a commit may have as many as a history has commits.
      const known = reverters.get(target);
      if (known === undefined) reverters.set(target, [place]);
      else known.push(place);
    }
  }
  return reverters;
}

/** The targets of reverts that are not undone themselves. Without recursion, because a chain of reverts can be as long as a history. */
function undoneBy(reverters: ReadonlyMap<number, readonly number[]>): Set<number> {
  const isUndone = new Map<number, boolean>();
  const isOpen = new Set<number>();
  for (const target of reverters.keys()) {
    const waiting = [target];
    for (let place = waiting.at(-1); place !== undefined; place = waiting.at(-1)) {
      const by: readonly number[] = reverters.get(place) ?? [];
      const undecided = isOpen.has(place) ? [] : by.filter((revert) => !isUndone.has(revert));
      isOpen.add(place);
      for (const revert of undecided) waiting.push(revert);
      if (undecided.length > 0) continue;
      isUndone.set(
        place,
        by.some((revert) => isUndone.get(revert) === false),
      );
      waiting.pop();
    }
  }
  return new Set([...isUndone].flatMap(([place, is]) => (is ? place : [])));
}

function broughtBy(history: History, merge: number, lowest: number): readonly number[] {
  const [first = merge, ...others] = history.parentsAt(merge);
  const [before, after] = [new Descent(history, [first]).downTo(lowest), new Descent(history, others).downTo(lowest)];
  const brought: number[] = [];
  for (let place = lowest; place < merge; place++) if (after[place] === 1 && before[place] !== 1) brought.push(place);
  return brought;
}
