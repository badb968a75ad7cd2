import type { FolderRepository } from './folder-repository.js';
import { chooseRemote, readRemotes, type GitRemote } from './git-remotes.js';
import type { Git } from './git.js';
import { refuseOtherRepositories } from './push-addresses.js';

/** Which branches a git source shows: `local` for the folder's own, or patterns; `null` leaves it to the kind of repository. */
export type BranchChoice = 'local' | readonly string[] | null;

/** Which branches of a repository are shown. */
export interface BranchScope {
  /** The remote whose branches they are; `null`: the repository's own branches. */
  readonly remote: string | null;
  /** Where they are, such as `refs/remotes/origin/`. */
  readonly folder: string;
  readonly patterns: readonly string[] | null;
  /** Whether a ref below `folder` is a branch of that remote. The name has no `folder` before it. */
  readonly isBranch: (name: string) => boolean;
  /** The repository's own branches without a choice: its tags and its detached HEAD are shown too, wherever they point. */
  readonly isWhole: boolean;
}

export interface ScopeOptions {
  /** The folder, for messages. */
  readonly location: string;
  /** The repository's public address. */
  readonly url: string;
  readonly remote: string | null;
  readonly branches: BranchChoice;
}

/**
 * A bare repository shows its own branches, and a folder that somebody works in those of its remote: a branch that was never pushed is not
 * public yet. A folder without remotes has nothing but its own. Throws a `GitError` when it is open which remote counts, and when its
 * branches may be in another repository only.
 */
export async function branchScope(git: Git, { isBare }: Pick<FolderRepository, 'isBare'>, options: ScopeOptions): Promise<BranchScope> {
  const { location, url, remote, branches } = options;
  const patterns = branches === 'local' ? null : branches;
  const own = { remote: null, folder: 'refs/heads/', patterns, isBranch: () => true, isWhole: patterns === null };
  if (branches === 'local' || (isBare && remote === null)) return own;
  const remotes = await readRemotes(git);
  const chosen = chooseRemote(remotes, { folder: location, remote, url });
  if (chosen === null) return own;
  // A list of branches is the word of a person that these are public.
  if (patterns === null) await refuseOtherRepositories(git, chosen, remotes, location);
  const folder = `refs/remotes/${chosen.name}/`;
  const isElsewhere = [...longerRemotes(chosen, remotes), ...foreignRefs(chosen)];
  const isBranch = (name: string) => !isElsewhere.some((isOther) => isOther(`${folder}${name}`));
  return { remote: chosen.name, folder, patterns, isBranch, isWhole: false };
}

type RefTest = (ref: string) => boolean;

/** With a remote `team` beside a remote `team/secret`, branches of the second one are below the folder of the first. */
function longerRemotes({ name }: GitRemote, remotes: readonly GitRemote[]): readonly RefTest[] {
  const longer = remotes.filter((other) => other.name.startsWith(`${name}/`));
  return longer.map((other) => (ref) => ref.startsWith(`refs/remotes/${other.name}/`));
}

/** Where a remote's fetch settings put what is no branch there, such as pull requests of anybody. */
function foreignRefs({ refspecs }: GitRemote): readonly RefTest[] {
  return refspecs.flatMap((refspec): RefTest[] => {
    const [source = '', target = ''] = refspec.replace(/^\+/, '').split(':');
    if (target === '' || !source.startsWith('refs/') || source.startsWith('refs/heads/')) return [];
    const [start = '', end] = target.split('*');
    return [(ref) => (end === undefined ? ref === target : ref.startsWith(start) && ref.endsWith(end))];
  });
}
