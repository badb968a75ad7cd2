import type { History, Reach } from './history.js';
import type { DefaultBranch, Patch } from './default-branch.js';

/** A branch with more own commits is another line of development. */
export const MOST_OWN_COMMITS = 2_000;

/** What a branch has that the default branch does not contain. */
export interface BranchView {
  readonly name: string;
  readonly tip: string;
  /** The places of its own commits without merges, parents first. */
  readonly own: readonly number[];
  /** The last commits that it shares with the default branch; none if the histories are unrelated. */
  readonly bases: readonly string[];
  /** Whether the history that was fetched ends before the two branches meet, so that its own commits are unknown. */
  readonly isCut: boolean;
  /** Whether it has more than {@link MOST_OWN_COMMITS}; `own` is incomplete then. */
  readonly isTooLong: boolean;
}

/** @param edge the commits whose parents were not fetched */
export function branchView(
  history: History,
  inDefault: Reach,
  { name, tip, edge }: { readonly name: string; readonly tip: string; readonly edge: ReadonlySet<string> },
): BranchView {
  const start = history.placeOf(tip);
  const seen = new Set<number>();
  const shared: number[] = [];
  const waiting = start === null ? [] : [start];
  for (let place = waiting.pop(); place !== undefined && seen.size <= MOST_OWN_COMMITS; place = waiting.pop()) {
    if (inDefault[place] === 1) shared.push(place);
    else if (!seen.has(place)) {
      seen.add(place);
      waiting.push(...history.parentsAt(place));
    }
  }
  const own = [...seen].filter((place) => history.parentsAt(place).length < 2).sort((a, b) => a - b);
  return {
    name,
    tip,
    own,
    bases: history.independent(shared),
    isCut: [...seen].some((place) => edge.has(history.shaAt(place))),
    isTooLong: seen.size > MOST_OWN_COMMITS,
  };
}

/** A commit of a change, and how to find the same change again. */
interface ChangeCommit extends Patch {
  readonly sha: string;
}

/** The commits of one type that a branch has, or had, for itself. */
export interface Change {
  /** Oldest first; none if there are too many to remember. */
  readonly commits: readonly ChangeCommit[];
  /** The last commit of the branch; `null` if unknown. */
  readonly tip: string | null;
  /** The last commits that the branch shared with the default branch. */
  readonly bases: readonly string[];
  /** The change of the whole branch, as one commit would make it; `null` if it has none. */
  readonly squash: Patch | null;
  /** The commits of the default branch that an earlier run has found to make the same change. */
  readonly held: readonly string[];
}

export type Verdict =
  | { readonly status: 'EXPERIMENTAL' }
  | { readonly status: 'UNKNOWN' }
  | Proven<'CONFIRMED'>
  | (Proven<'RETRACTED'> & { readonly by: 'revert' | 'closing' })
  | (Proven<'RELEASED'> & { readonly tags: readonly string[] });

interface Proven<Status extends string> {
  readonly status: Status;
  /** The commits that show it. */
  readonly held: readonly string[];
  /** Whether they are the commits of the branch, and not others that make the same change. */
  readonly areOwn: boolean;
}

type Held = Omit<Proven<string>, 'status'>;

interface BranchFate {
  /** The commits that the branch itself reverts; `null` for a branch that does not have these commits any more. */
  readonly reverted: ReadonlySet<string> | null;
  /** Whether it ended when its pull request was closed without merging. */
  readonly isClosed: boolean;
}

export function verdictOf(change: Change, main: DefaultBranch, branch: BranchFate): Verdict {
  const held = heldBy(change, main);
  const own = { held: change.commits.map(({ sha }) => sha), areOwn: true };
  if (held !== null) {
    const isUndone = [held, own].some((commits) => isEach(commits.held, (sha) => main.hasReverted(sha)));
    return isUndone ? { status: 'RETRACTED', by: 'revert', ...held } : (releaseWith(held, main) ?? { status: 'CONFIRMED', ...held });
  }
  const isUndone = isEach(own.held, (sha) => branch.reverted?.has(sha) === true || main.hasRevertedInRelease(sha));
  return isUndone ? { status: 'RETRACTED', by: 'revert', ...own } : (releaseWith(own, main) ?? openVerdict(own, branch));
}

/** Of a change that neither the default branch nor a tag contains, and that was not reverted. */
function openVerdict(own: Held, { reverted, isClosed }: BranchFate): Verdict {
  if (isClosed) return { status: 'RETRACTED', by: 'closing', ...own };
  return { status: reverted === null ? 'UNKNOWN' : 'EXPERIMENTAL' };
}

/** The commits of the default branch that hold the change; `null` if it does not hold all of it. */
function heldBy({ commits, tip, bases, squash, held }: Change, main: DefaultBranch): Held | null {
  const shas = commits.map(({ sha }) => sha);
  if (isEach(shas, (sha) => main.contains(sha))) return { held: shas, areOwn: true };
  if (tip !== null && main.contains(tip)) return { held: [tip], areOwn: true };
  if (isEach(held, (sha) => main.contains(sha))) return { held, areOwn: false };
  // A commit that changes nothing has nothing that could be missing.
  const same = commits.filter(({ patch }) => patch !== '').map((commit) => (main.contains(commit.sha) ? commit.sha : main.commitWith(commit, bases)));
  if (isEach(same, (sha) => sha !== null)) return { held: [...new Set(same.flatMap((sha) => sha ?? []))], areOwn: false };
  const whole = squash === null ? null : main.commitWith(squash, bases);
  return whole === null ? null : { held: [whole], areOwn: false };
}

function releaseWith(held: Held, main: DefaultBranch): Verdict | null {
  const tags = held.held.map((sha) => main.releaseOf(sha));
  if (!isEach(tags, (tag) => tag !== null)) return null;
  return { status: 'RELEASED', ...held, tags: [...new Set(tags.flatMap((tag) => tag ?? []))].sort() };
}

/** Whether there are items, and all of them pass. */
function isEach<Item>(items: readonly Item[], passes: (item: Item) => boolean): boolean {
  return items.length > 0 && items.every(passes);
}
