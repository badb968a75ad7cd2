import { isTorture } from '@vitrine/test-support';
import fc from 'fast-check';
import { branchView, MOST_OWN_COMMITS } from './read-branches.js';
import { DefaultBranch, verdictOf, type Change, type Verdict } from './verdict.js';
import { Descent, History, revertedIn, type HistoryCommit } from './history.js';
import { CountedHistory } from '../../../test/git/counted-history.js';
import { ClosedBranches, type PullRequest } from './pull-requests.js';

const EDGE: ReadonlySet<string> = new Set();

function learn(history: History, sha: string, known: Partial<Pick<HistoryCommit, 'note' | 'patch'>>): void {
  Object.assign(history.get(sha) ?? {}, known);
}

/** One word for each commit: its name, its parents, and what it reverts: `c:a,b!a`. Each commit changes a file of its own, and its patch id is its name in lower case. */
function historyOf(text: string): History {
  const history = new History();
  for (const word of text.split(' ')) {
    const [commit = '', reverts] = word.split('!');
    const [name = '', parents] = commit.split(':');
    history.add(name, parents?.split(',') ?? []);
    learn(history, name, { note: { key: name.toLowerCase(), reverts: reverts?.split(',') ?? [] }, patch: name.toLowerCase() });
  }
  return history;
}

function changeOf(commits: string, over: Partial<Change> = {}): Change {
  const patches = commits.split(' ').map((sha) => ({ sha, patch: sha.toLowerCase(), key: sha.toLowerCase() }));
  return { commits: patches, tip: null, bases: [], squash: null, held: [], ...over };
}

function statusOf(history: History, tip: string, change: Change, tags: Readonly<Record<string, string>> = {}): string {
  const keys = new Set('abcdefghijklmnopqrstuvwxyz');
  const main = new DefaultBranch(history, tip, { keys, tags: Object.entries(tags).map(([name, sha]) => ({ name, sha })) });
  const verdict = verdictOf(change, main, { reverted: null, isClosed: false });
  return `${verdict.status}${verdict.held.length > 0 ? ` by ${verdict.held.join(',')}` : ''}${'tags' in verdict ? ` in ${verdict.tags.join(',')}` : ''}`;
}

describe('the verdict about a change', () => {
  it.each([
    ['its commits', 'a b:a c:b', 'c', changeOf('b c'), 'CONFIRMED by b,c'],
    ['only some of its commits', 'a b:a c:b d:a', 'b', changeOf('b d'), 'UNKNOWN'],
    ['the last commit of the branch', 'a b:a', 'b', changeOf('x', { commits: [], tip: 'b' }), 'CONFIRMED by b'],
    ['other commits with the same changes', 'a b:a c:a B:c', 'B', changeOf('b', { bases: ['a'] }), 'CONFIRMED by B'],
    ['the same changes before the branch began', 'a B:a c:B b:c', 'c', changeOf('b', { bases: ['c'] }), 'UNKNOWN'],
    ['one commit with the whole change', 'a S:a', 'S', changeOf('x y', { squash: { patch: 's', key: 's' } }), 'CONFIRMED by S'],
    ['another commit that changes the same files', 'a S:a', 'S', changeOf('x y', { squash: { patch: 't', key: 's' } }), 'UNKNOWN'],
    ['another file whose name differs in spaces', 'a B:a c:B', 'c', changeOf('x', { commits: [{ sha: 'x', patch: 'b', key: 'c' }] }), 'UNKNOWN'],
    ['nothing of a change of nothing', 'a b:a', 'b', changeOf('x', { commits: [{ sha: 'x', patch: '', key: 'b' }] }), 'UNKNOWN'],
    ['what an earlier run has found', 'a b:a', 'b', changeOf('x', { held: ['b'] }), 'CONFIRMED by b'],
    ['a revert of it', 'a b:a c:b!b', 'c', changeOf('b'), 'RETRACTED by b'],
    ['a revert of a part of it', 'a b:a c:b d:c!b', 'd', changeOf('b c'), 'CONFIRMED by b,c'],
    ['a revert of its revert', 'a b:a c:b!b d:c!c', 'd', changeOf('b'), 'CONFIRMED by b'],
    ['a revert of the merge that brought it', 'a b:a c:a d:c,b e:d!d', 'e', changeOf('b'), 'RETRACTED by b'],
    [
      'a revert of the commits, which it has as one commit',
      'a S:a b:a c:S!b',
      'c',
      changeOf('b', { squash: { patch: 's', key: 's' } }),
      'RETRACTED by S',
    ],
    ['a revert of a merge that did not bring it', 'a b:a c:b d:b,c e:d!d', 'e', changeOf('b'), 'CONFIRMED by b'],
  ] as const)('follows %s', (_, history, tip, change, expected) => {
    expect(statusOf(historyOf(history), tip, change)).toBe(expected);
  });

  it('names the closest tags that contain it', () => {
    const history = historyOf('a b:a c:b d:c');
    expect(statusOf(history, 'd', changeOf('b'), { v2: 'd', v1: 'c', v0: 'a' })).toBe('RELEASED by b in v1');
    expect(statusOf(history, 'd', changeOf('b c'), { v1: 'b', v2: 'd' })).toBe('RELEASED by b,c in v1,v2');
    expect(statusOf(history, 'd', changeOf('b d'), { v1: 'c' })).toBe('CONFIRMED by b,d');
    expect(statusOf(history, 'a', changeOf('b c'), { 'v1.0.1': 'd' })).toBe('RELEASED by b,c in v1.0.1');
    // Both are as close, so the first one by name counts.
    const two = historyOf('a b:a c:b d:b');
    for (const tags of [
      { v1: 'c', v2: 'd' },
      { v2: 'd', v1: 'c' },
      { v1: 'd', v2: 'c' },
    ])
      expect(statusOf(two, 'd', changeOf('b'), tags)).toBe('RELEASED by b in v1');
  });

  it.each([
    ['the tag contains the revert', 'a b:a c:b!b', 'c', 'RETRACTED by b'],
    ['the tag contains the revert of a part', 'a b:a d:b c:d!d', 'c', 'RELEASED by b in v1'],
    ['the tag contains the revert of the revert', 'a b:a c:b!b d:c!c', 'd', 'RELEASED by b in v1'],
    ['the tag contains the revert of the merge that brought it', 'a b:a x:a c:x,b d:c!c', 'd', 'RETRACTED by b'],
    ['only another line has the revert', 'a b:a c:b!b', 'b', 'RELEASED by b in v1'],
  ] as const)('of commits on a tagged branch that was deleted: %s', (_, text, tag, expected) => {
    expect(statusOf(historyOf(text), 'a', changeOf('b'), { v1: tag })).toBe(expected);
  });

  it('of commits that their own branch reverts is the same whether a tag contains them or not', () => {
    const history = historyOf('a b:a c:b!b d:c');
    for (const tags of [[], [{ name: 'v1', sha: 'b' }], [{ name: 'v1', sha: 'd' }]]) {
      const main = new DefaultBranch(history, 'a', { keys: new Set('abcd'), tags });
      expect(verdictOf(changeOf('b'), main, { reverted: new Set(['b']), isClosed: false })).toMatchObject({ status: 'RETRACTED', by: 'revert' });
    }
  });
});

/** Few values, so that many pull requests are about the same branch. */
const pullRequests = fc.array(
  fc.record({
    branch: fc.constantFrom('topic', 'topic b'),
    head: fc.constantFrom('a'.repeat(40), 'b'.repeat(40)),
    base: fc.constantFrom('main', 'main', 'next'),
    fate: fc.constantFrom('open', 'merged', 'closed'),
    closedAt: fc.option(fc.integer({ min: 0, max: 9 }).map((hours) => hours * 3_600_000)),
  }) satisfies fc.Arbitrary<PullRequest>,
  { maxLength: 8 },
);

describe('ClosedBranches', () => {
  it('has a branch that ended with its last closing, and that nobody offers again, whatever the order of its pull requests', () => {
    fc.assert(
      fc.property(pullRequests, fc.integer({ min: 0, max: 10 }), fc.nat(8), (all, hours, turn) => {
        const newest = hours * 3_600_000;
        const turned = new ClosedBranches([...all.slice(turn), ...all.slice(0, turn), ...all].reverse(), 'main');
        const closed = new ClosedBranches(all, 'main');
        expect(turned.digest).toBe(closed.digest);
        for (const branch of ['topic', 'topic b']) {
          for (const head of ['a'.repeat(40), 'b'.repeat(40)]) {
            const same = all.filter((one) => one.head === head);
            const isAlive = same.some(({ fate }) => fate !== 'closed');
            const isClosed = same.some((one) => one.branch === branch && one.base === 'main' && (one.closedAt === null || one.closedAt >= newest));
            expect(closed.has(branch, head, newest)).toBe(isClosed && !isAlive);
            expect(turned.has(branch, head, newest)).toBe(closed.has(branch, head, newest));
          }
        }
      }),
    );
  });

  it('has the same digest if and only if it says the same', () => {
    const everything = (closed: ClosedBranches) =>
      ['topic', 'topic b'].flatMap((branch) =>
        ['a', 'b'].flatMap((digit) => Array.from({ length: 11 }, (_, hours) => closed.has(branch, digit.repeat(40), hours * 3_600_000))),
      );
    fc.assert(
      fc.property(pullRequests, pullRequests, (some, others) => {
        const [one, other] = [new ClosedBranches(some, 'main'), new ClosedBranches(others, 'main')];
        expect(one.digest === other.digest).toBe(everything(one).join() === everything(other).join());
      }),
    );
  });
});

describe('branchView', () => {
  const view = (text: string, main: string, tip: string, edge = EDGE) => {
    const history = historyOf(text);
    const { own, bases, isCut } = branchView(history, history.reach(history.known([main])), tip, edge);
    return { own: own.map(({ sha }) => sha).join(' '), bases, isCut };
  };

  it('finds the commits that only the branch has, without merges, and where it began', () => {
    expect(view('a b:a c:a d:c,b e:d', 'b', 'e')).toEqual({ own: 'c e', bases: ['b'], isCut: false });
    expect(view('a b:a', 'b', 'a')).toEqual({ own: '', bases: ['a'], isCut: false });
    expect(view('a x y:x', 'a', 'y')).toEqual({ own: 'x y', bases: [], isCut: false });
    expect(view('a x y:x', 'a', 'y', new Set(['x']))).toMatchObject({ isCut: true });
  });

  it('gives up on another line of development', () => {
    const history = new History();
    history.add('root', []);
    for (let number = 0; number < MOST_OWN_COMMITS + 2; number++) history.add(String(number), [number === 0 ? 'root' : String(number - 1)]);
    const main = history.reach(history.known(['root']));
    const long = (tip: number) => branchView(history, main, String(tip), EDGE).isTooLong;
    expect([long(MOST_OWN_COMMITS - 1), long(MOST_OWN_COMMITS)]).toEqual([false, true]);
  });
});

/** Histories in which each commit has up to two earlier ones as parents, and reverts up to one. */
const histories = fc
  .array(fc.record({ parents: fc.array(fc.nat(1_000), { maxLength: 2 }), reverts: fc.option(fc.nat(1_000)), key: fc.nat(3) }), {
    minLength: 1,
    maxLength: 30,
  })
  .map((commits) => {
    const history = new History();
    const sha = (number: number) => number.toString(16).padStart(40, '0');
    commits.forEach(({ parents, reverts, key }, place) => {
      const earlier = (number: number) => sha(number % place);
      history.add(sha(place), place === 0 ? [] : [...new Set(parents.map(earlier))]);
      const note = { key: key === 0 ? null : `key${key}`, reverts: reverts === null || place === 0 ? [] : [earlier(reverts)] };
      learn(history, sha(place), { note, patch: key > 1 ? `patch${key}` : null });
    });
    return history;
  });

function shaAt(history: History, place: number): string {
  return history.commits[place % history.commits.length]?.sha ?? '';
}

/** A slow way to know which commits a tree without conflicts contains: a commit is in it unless it has a revert there that is in it. */
function inTree(history: History, tip: number): ReadonlySet<number> {
  const marks = history.reach(history.commits.slice(tip, tip + 1));
  const kept = new Set<HistoryCommit>();
  // A revert comes after what it reverts.
  for (const commit of history.commits.toReversed()) {
    const isReverted = [...kept].some(({ note }) => (note?.reverts ?? []).includes(commit.sha));
    if (marks[commit.place] === 1 && !isReverted) kept.add(commit);
  }
  return new Set([...kept].map(({ place }) => place));
}

describe('a release', () => {
  it('of a branch that has nothing on the default branch contains what the tree of the tag contains', () => {
    const lines = fc.array(fc.option(fc.nat(1_000), { freq: 2 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(lines, fc.nat(11), (reverts, at) => {
        const name = (place: number) => String.fromCharCode(97 + place);
        const words = reverts.map(
          (target, index) => `${name(index + 1)}:${name(index)}${target === null || index === 0 ? '' : `!${name(1 + (target % index))}`}`,
        );
        const history = historyOf(['a', ...words].join(' '));
        const tip = 1 + (at % reverts.length);
        const tree = inTree(history, tip);
        for (let place = 1; place <= tip; place++) {
          const status = statusOf(history, 'a', changeOf(name(place)), { v1: name(tip) });
          expect(status).toBe(tree.has(place) ? `RELEASED by ${name(place)} in v1` : `RETRACTED by ${name(place)}`);
        }
      }),
    );
  });
});

describe('a history', () => {
  it('reaches what a walk over the parents reaches', () => {
    fc.assert(
      fc.property(histories, fc.array(fc.nat(29), { maxLength: 3 }), (history, given) => {
        const tips = given.flatMap((place) => history.commits[place] ?? []);
        const seen = new Set<HistoryCommit>();
        const waiting = [...tips];
        for (let commit = waiting.pop(); commit !== undefined; commit = waiting.pop()) {
          if (!seen.has(commit)) waiting.push(...commit.parents);
          seen.add(commit);
        }
        const placesOf = (commits: Iterable<HistoryCommit>) => [...commits].map(({ place }) => place);
        expect(placesOf(history.marked(history.reach(tips)))).toEqual(placesOf(seen).sort((a, b) => a - b));
      }),
    );
  });

  it('tells apart the commits that others reach, however far down the walk goes', () => {
    fc.assert(
      fc.property(histories, fc.array(fc.nat(29), { maxLength: 5 }), fc.array(fc.nat(29), { maxLength: 4 }), (history, given, stops) => {
        const commits = [...new Set(given)].flatMap((place) => history.commits[place] ?? []);
        const isReached = (commit: HistoryCommit) => commits.some((other) => other !== commit && history.reach([other])[commit.place] === 1);
        const expected = commits.filter((commit) => !isReached(commit)).map(({ sha }) => sha);
        expect(history.independent(commits)).toEqual(expected.sort());
        const [whole, descent] = [history.reach(commits), new Descent(history, commits)];
        for (const stop of stops) expect([...descent.downTo(stop).slice(stop)]).toEqual([...whole.slice(stop)]);
      }),
    );
  });

  it('asks nothing about its beginning if the question is about its end', () => {
    const history = new CountedHistory();
    for (let number = 0; number < 10_000; number++) history.add(String(number), number === 0 ? [] : [String(number - 1)]);
    history.asked = 0;
    expect(history.independent(history.known(['9990', '9980']))).toEqual(['9990']);
    const patch = { patch: 'p', key: 'k' };
    learn(history, '5', { note: { key: 'k', reverts: [] }, patch: 'p' });
    learn(history, '9970', { note: { key: 'k', reverts: [] }, patch: 'q' });
    expect(history.asked).toBeLessThan(100);
    const main = new DefaultBranch(history, '9999', { tags: [], keys: new Set(['k']) });
    history.asked = 0;
    expect(main.commitWith({ ...patch, patch: 'q' }, ['9975'])).toBeNull();
    expect(history.asked).toBeLessThan(100);
    for (let time = 0; time < 20; time++) expect(main.commitWith(patch, ['9975'])).toBeNull();
    expect(main.commitWith(patch, ['4'])).toBe('5');
    expect(history.asked).toBeLessThan(10_200);
  });

  it('decides the same about a change whatever the order of unrelated commits', () => {
    fc.assert(
      fc.property(histories, fc.nat(29), fc.nat(29), fc.boolean(), (history, tip, commit, isClosed) => {
        const other = new History();
        // Depth first instead of breadth first: parents still come before their children.
        const copy = ({ sha, parents, note, patch }: HistoryCommit): void => {
          if (other.has(sha)) return;
          parents.toReversed().forEach(copy);
          const known = parents.map((parent) => parent.sha);
          other.add(sha, known);
          learn(other, sha, { note, patch });
        };
        history.commits.toReversed().forEach(copy);
        const change = {
          commits: [{ sha: shaAt(history, commit), patch: 'patch2', key: 'key2' }],
          tip: null,
          bases: [],
          squash: null,
          held: [],
        };
        const verdict = (in_: History) => {
          const tags = [{ name: 'v1', sha: shaAt(history, history.commits.length - 1) }];
          return verdictOf(change, new DefaultBranch(in_, shaAt(history, tip), { keys: new Set(['key2']), tags }), {
            reverted: null,
            isClosed,
          });
        };
        expect(verdict(other)).toEqual(verdict(history));
      }),
    );
  });

  it('decides about a closed branch only where it shows nothing itself', () => {
    const reverts = fc.option(fc.constantFrom(new Set<string>(), new Set(['0'.padStart(40, '0')])));
    fc.assert(
      fc.property(histories, fc.nat(29), fc.nat(29), fc.boolean(), reverts, (history, tip, commit, isTagged, reverted) => {
        const sha = shaAt(history, commit);
        const change = changeOf(sha, { commits: [{ sha, patch: 'patch2', key: 'key2' }] });
        const tags = isTagged ? [{ name: 'v1', sha: shaAt(history, history.commits.length - 1) }] : [];
        const main = new DefaultBranch(history, shaAt(history, tip), { keys: new Set(['key2']), tags });
        const [open, closed] = [false, true].map((isClosed) => verdictOf(change, main, { reverted, isClosed }));
        const isSilent = open?.status === 'UNKNOWN' || open?.status === 'EXPERIMENTAL';
        const retracted: Verdict = { status: 'RETRACTED', by: 'closing', held: [sha], areOwn: true };
        expect(closed).toEqual(isSilent ? retracted : open);
      }),
    );
  });

  it('never has its last commit undone', () => {
    fc.assert(
      fc.property(histories, (history) => {
        const all = new Uint8Array(history.commits.length).fill(1);
        const undone = revertedIn(history, all);
        expect(undone.has(shaAt(history, history.commits.length - 1))).toBe(false);
        // Whoever asks only for later commits gets the same answer for them.
        const lowest = Math.floor(history.commits.length / 2);
        const later = all.map((_, place) => (place < lowest ? 0 : 1));
        const ofLater = (shas: ReadonlySet<string>) => [...shas].filter((sha) => (history.get(sha)?.place ?? -1) >= lowest).sort();
        expect(ofLater(revertedIn(history, later, lowest))).toEqual(ofLater(revertedIn(history, later)));
      }),
    );
  });

  it('decides a chain of reverts as long as a history, and many reverts of one commit, in linear time', () => {
    const count = isTorture ? 100_000 : 20_000;
    const [chain, crowd] = [new History(), new History()];
    for (let number = 0; number < count; number++) {
      for (const history of [chain, crowd]) history.add(String(number), number === 0 ? [] : [String(number - 1)]);
      learn(chain, String(number), { note: { key: null, reverts: number === 0 ? [] : [String(number - 1)] } });
      learn(crowd, String(number), { note: { key: null, reverts: number === 0 ? [] : ['0'] } });
    }
    const all = new Uint8Array(count).fill(1);
    expect(revertedIn(chain, all).size).toBe(count / 2);
    expect([...revertedIn(crowd, all)]).toEqual(['0']);
  });
});
