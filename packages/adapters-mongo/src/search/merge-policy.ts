import type { SegmentRef } from './segment-documents.js';

/** So many runs of about the same size become one. */
const FAN_IN = 8;
const BITS_OF_FAN_IN = 3;

/** The runs among the segments of a type, the oldest first. */
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
 * How many of the newest runs are to become one; 0 when none. Of each level at most seven runs stay, and a run has to be about eight times as large
 * for the next level, so a row is written again about as often as the store has levels.
 */
export function runsToMerge(runs: readonly (readonly SegmentRef[])[]): number {
  const newestFirst = runs.map((run) => levelOf(run.reduce((sum, { rows }) => sum + rows, 0))).reverse();
  const seen = new Map<number, number>();
  let highest = 0;
  for (const [index, level] of newestFirst.entries()) {
    // Runs below an older, larger one were not merged with it, and do not count as its like.
    if (level < highest) continue;
    highest = level;
    const count = (seen.get(level) ?? 0) + 1;
    seen.set(level, count);
    if (count === FAN_IN) return index + 1;
  }
  return 0;
}

function levelOf(rows: number): number {
  return Math.floor((31 - Math.clz32(rows)) / BITS_OF_FAN_IN);
}
