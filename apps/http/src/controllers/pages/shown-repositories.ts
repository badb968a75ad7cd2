/** The full names of all repositories in the data of a page, so that caches can drop the page when one of them is removed. */
export function shownRepositories(data: unknown): readonly string[] {
  const names = new Set<string>();
  collect(data, names);
  return [...names];
}

function collect(data: unknown, names: Set<string>): void {
  if (typeof data !== 'object' || data === null) return;
  if ('repository' in data) addName(data.repository, names);
  if ('fullName' in data) addName(data, names);
  for (const value of data instanceof Map ? data.values() : Object.values(data)) collect(value, names);
}

/** A repository, or its name alone as sources have it. */
function addName(repository: unknown, names: Set<string>): void {
  if (typeof repository === 'string') names.add(repository);
  else if (typeof repository === 'object' && repository !== null && 'fullName' in repository) names.add(String(repository.fullName));
}
