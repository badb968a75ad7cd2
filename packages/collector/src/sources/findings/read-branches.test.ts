import { Git } from '../git/git.js';
import { History } from './history.js';
import { CountedHistory } from '../../../test/git/counted-history.js';
import { readBranches } from './read-branches.js';

/** All commits are known already, and no ref is a tag. */
class SilentGit extends Git {
  constructor() {
    super({ gitDir: '', environment: {}, timeoutMs: 0, signal: new AbortController().signal });
  }

  override async *stream(): AsyncGenerator<Buffer, void, undefined> {
    // Git has nothing to add.
  }
}

const sha = (number: number) => number.toString(16).padStart(40, '0');
const LENGTH = 1_500;

/** A default branch, many branches with one commit, and as many at the end of a long line of its own. */
function read(history: History, counts: { readonly short: number; readonly long: number }) {
  history.add(sha(0), []);
  for (let number = 1; number <= counts.short; number++) history.add(sha(number), [sha(0)]);
  for (let number = 0; number < LENGTH; number++) history.add(sha(1e6 + number), [sha(number === 0 ? 0 : 1e6 + number - 1)]);
  const short = Array.from({ length: counts.short }, (_, number) => ({ name: `a${String(number)}`, sha: sha(number + 1) }));
  const long = Array.from({ length: counts.long }, (_, number) => ({ name: `b${String(number)}`, sha: sha(1e6 + LENGTH - 1) }));
  const branches = [{ name: 'main', sha: sha(0) }, ...short, ...long];
  const refs = { branches, tags: [], hasAllTags: true, defaultBranch: 'main', detachedHead: null, shallow: [], digest: '', warnings: [] };
  return readBranches(history, new SilentGit(), refs, 'main');
}

describe('readBranches', () => {
  it('looks at no commit of branches that it does not follow, because there are too many', async () => {
    const history = new CountedHistory();
    const { live, untold, warnings } = await read(history, { short: 1_000, long: 1_000 });
    expect([live.size, untold.size]).toEqual([1_000, 1_000]);
    expect(warnings).toEqual(['branches without findings, because there are too many; list the branches that matter in the key branches: 1000']);
    expect(history.asked).toBeLessThan(20_000);
  });

  it('lets the rest of the process go on meanwhile', async () => {
    let turns = 0;
    let isDone = false;
    const count = (): void => {
      turns++;
      if (!isDone) setImmediate(count);
    };
    const reading = read(new History(), { short: 0, long: 600 });
    setImmediate(count);
    const { live } = await reading;
    isDone = true;
    expect([live.size, turns > 0]).toEqual([33, true]);
  });
});
