import type { Gaps, GitCollection } from './git-collection.js';

export function gapWarnings(id: string, { count }: Gaps): readonly string[] {
  if (count === 0) return [];
  const commits = count === 1 ? '1 commit has' : `${count} commits have`;
  return [`${id}: objects are missing, so ${commits} no count of changes; restore them, for example with git fetch --refetch --no-filter`];
}

export function undatedWarnings(id: string, count: number): readonly string[] {
  if (count === 0) return [];
  return [`${id}: ${count === 1 ? '1 commit was left out: no date in it' : `${count} commits were left out: no date in them`} can be read`];
}

export function shallowWarnings({ source: { id }, refs: { shallow } }: GitCollection): readonly string[] {
  if (shallow.length === 0) return [];
  const commits = shallow.length === 1 ? '1 commit at its end has' : `${shallow.length} commits at its ends have`;
  return [`${id}: the clone is shallow: older history is missing, and ${commits} no count of changes; fetch it with --unshallow`];
}
