import type { SegmentRef } from './segment.js';

/** This many runs of about the same size are merged into one. */
const FAN_IN = 8;
const BITS_OF_FAN_IN = 3;

/** Groups the segments of a type into runs, the oldest first. */
export function runsIn(segments: readonly SegmentRef[]): readonly (readonly SegmentRef[])[] {
  const runs: SegmentRef[][] = [];
  for (const segment of segments) {
    const last = runs.at(-1);
    if (last?.[0]?.run === segment.run) last.push(segment);
    else runs.push([segment]);
  }
  return runs;
}

/**
 * The merge policy: how many of the newest runs to merge; 0 for none. At most seven runs stay on each level, and a run of the next level is about eight times as
 * large. So each entry is rewritten about as often as there are levels.
 */
export function runsToMerge(runs: readonly (readonly SegmentRef[])[]): number {
  const newestFirst = runs.map((run) => levelOf(run.reduce((sum, { rows }) => sum + rows, 0))).reverse();
  const seen = new Map<number, number>();
  let highest = 0;
  for (const [index, level] of newestFirst.entries()) {
    // An older run that is smaller than a younger one was not merged with it, and does not count for its level.
    if (level < highest) continue;
    highest = level;
    const count = (seen.get(level) ?? 0) + 1;
    seen.set(level, count);
    if (count === FAN_IN) return index + 1 + smallerRuns(newestFirst.slice(index + 1), highest);
  }
  return 0;
}

/** If many runs were added during a merge, there are more than eight of a level, and all of them are merged. */
function smallerRuns(levels: readonly number[], highest: number): number {
  const larger = levels.findIndex((level) => level > highest);
  return larger === -1 ? levels.length : larger;
}

function levelOf(rows: number): number {
  return Math.floor((31 - Math.clz32(rows)) / BITS_OF_FAN_IN);
}
