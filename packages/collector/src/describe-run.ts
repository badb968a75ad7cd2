import type { RunReport } from './source.js';

/** What a run did, for people: `2 stored, 1 unchanged, 0 removed`. */
export function describeRun({ stored, unchanged, removed, skipped = 0 }: RunReport): string {
  const counts = `${String(stored)} stored, ${String(unchanged)} unchanged, ${String(removed)} removed`;
  return skipped === 0 ? counts : `${counts}, ${String(skipped)} skipped because their repositories are not approved`;
}
