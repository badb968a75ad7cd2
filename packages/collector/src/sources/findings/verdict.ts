import type { DefaultBranch } from './default-branch.js';
import type { FollowedFinding } from './findings-state.js';

/** What is known of the commits of a finding. */
export type Change = Pick<FollowedFinding, 'commits' | 'tip' | 'bases' | 'squash' | 'held'>;

interface Held {
  /** The commits that show it; none for a status that nothing shows. */
  readonly held: readonly string[];
  /** Whether they are the commits of the branch, and not others that make the same change. */
  readonly areOwn: boolean;
}

export type Verdict = Held &
  (
    | { readonly status: 'EXPERIMENTAL' | 'UNKNOWN' | 'CONFIRMED' }
    | { readonly status: 'RETRACTED'; readonly by: 'revert' | 'closing' }
    | { readonly status: 'RELEASED'; readonly tags: readonly string[] }
  );

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
  return { status: reverted === null ? 'UNKNOWN' : 'EXPERIMENTAL', held: [], areOwn: true };
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
