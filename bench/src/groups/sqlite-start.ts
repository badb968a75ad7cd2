import { atMost, mustBe, percentile, SIZE, type Figure } from '../measure.js';
import { serveStore, worldFolder } from '../stores.js';
import { COMMITS_PATH, jsonOf, mustList, type ApiList, type CommitList } from '../wire.js';
import { CHECKS_EACH, newestShas, quietRefs, services } from '../world.js';

const ROUNDS = 5;
const LIMIT = 20;

interface StatusBody {
  readonly data: { readonly services: readonly { readonly currentState: string; readonly checksTracked: number }[] };
}

/** Starts servers on a store with many commits and checks, and asks each for a list, a search and the status. */
export async function figures(): Promise<readonly Figure[]> {
  const path = await worldFolder();
  const newest = newestShas(quietRefs, LIMIT);
  const [seconds, megabytes]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    const { url, process: server } = await serveStore({ store: 'sqlite', path, approved: quietRefs });
    const [list, found, status] = await Promise.all([
      jsonOf<CommitList>(`${url}${COMMITS_PATH}?limit=${String(LIMIT)}`),
      jsonOf<ApiList<{ readonly id: string }>>(`${url}/api/v1/search?q=${newest[0] ?? ''}`),
      jsonOf<StatusBody>(`${url}/api/v1/status`),
    ]);
    seconds.push((performance.now() - start) / 1_000);
    megabytes.push(server.residentBytes() / 2 ** 20);
    server.stop();
    mustList('the first list', list, newest);
    const hits = found.data.map(({ id }) => id.split('@')[1]);
    mustBe('first search', hits, newest.slice(0, 1));
    const states = status.data.services.map(({ currentState, checksTracked }) => `${currentState} ${String(checksTracked)}`);
    const expected = services.map(() => `operational ${String(CHECKS_EACH)}`);
    mustBe('first status', states, expected);
  }
  return [
    atMost(`start with ${SIZE} commits and ${SIZE} checks in SQLite: a list, a search and the status are complete`, percentile(seconds, 0.5), 's', 1),
    atMost('the same: resident memory', Math.max(...megabytes), 'MiB', 160),
  ];
}
