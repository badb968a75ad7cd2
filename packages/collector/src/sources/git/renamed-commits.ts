import { shaLines } from './commit-log.js';
import type { Git } from './git.js';

const NAMES = ['log', '--stdin', '--no-walk=unsorted', '--no-patch', '--no-decorate', '--no-notes', '--encoding=UTF-8', '--format=%aN'];

/** The commits whose author has another name than with an earlier `.mailmap`; all of them if that can no longer be read. */
export async function renamedCommits(git: Git, shas: readonly string[], formerMailmap: string | null): Promise<ReadonlySet<string>> {
  const former = git.withMailmap(formerMailmap);
  if ((await former.mailmapId()) !== formerMailmap) return new Set(shas);
  const [before, now] = [await namesIn(former, shas), await namesIn(await git.withReadableMailmap(), shas)];
  return new Set(shas.filter((_, index) => before[index] !== now[index]));
}

/** The author of each commit, as a line of git. */
async function namesIn(git: Git, shas: readonly string[]): Promise<readonly string[]> {
  const names: string[] = [];
  if (shas.length > 0) for await (const lines of git.lines(NAMES, shaLines(shas))) names.push(...lines);
  return names;
}
