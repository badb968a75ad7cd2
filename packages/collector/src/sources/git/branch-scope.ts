import { chooseRemote, readRemotes, type GitRemote } from './git-remotes.js';
import type { FolderRepository } from './local-repository.js';
import type { Git } from './git.js';
import { refuseOtherRepositories } from './push-addresses.js';

/** The branches that a git source shows: `local` for the folder's own branches, or patterns. With `null`, the kind of repository decides. */
export type BranchChoice = 'local' | readonly string[] | null;

export interface BranchScope {
  /** The remote that the branches belong to; `null` for the repository's own branches. */
  readonly remote: string | null;
  /** The prefix of their refs, such as `refs/remotes/origin/`. */
  readonly folder: string;
  readonly patterns: readonly string[] | null;
  /** Whether a ref below `folder` is a branch of that remote. The given name does not contain `folder`. */
  readonly isBranch: (name: string) => boolean;
  /** Whether all of the repository's own branches are shown. Then all its tags and its detached HEAD are shown too. */
  readonly isWhole: boolean;
}

export interface ScopeOptions {
  readonly location: string;
  readonly url: string;
  readonly remote: string | null;
  readonly branches: BranchChoice;
}

/**
 * A bare repository shows its own branches. A working copy shows the branches of its remote, because a branch that was never pushed is not
 * public yet. A folder without remotes shows its own branches. Throws a `GitError` if the remote is ambiguous, or if its
 * branches may exist only in another repository.
 */
export async function branchScope(git: Git, { isBare }: Pick<FolderRepository, 'isBare'>, options: ScopeOptions): Promise<BranchScope> {
  const { location, url, remote, branches } = options;
  const patterns = branches === 'local' ? null : branches;
  const own = { remote: null, folder: 'refs/heads/', patterns, isBranch: () => true, isWhole: patterns === null };
  if (branches === 'local' || (isBare && remote === null)) return own;
  const remotes = await readRemotes(git);
  const chosen = chooseRemote(remotes, { folder: location, remote, url });
  if (chosen === null) return own;
  // If a person has listed the branches, that person has decided that they are public.
  if (patterns === null) await refuseOtherRepositories(git, chosen, remotes, location);
  const folder = `refs/remotes/${chosen.name}/`;
  const isElsewhere = [...longerRemotes(chosen, remotes), ...foreignRefs(chosen)];
  const isBranch = (name: string) => !isElsewhere.some((isOther) => isOther(`${folder}${name}`));
  return { remote: chosen.name, folder, patterns, isBranch, isWhole: false };
}

type RefTest = (ref: string) => boolean;

/** If there is a remote `team` and a remote `team/secret`, the refs of the second are below the folder of the first. */
function longerRemotes({ name }: GitRemote, remotes: readonly GitRemote[]): readonly RefTest[] {
  const longer = remotes.filter((other) => other.name.startsWith(`${name}/`));
  return longer.map((other) => (ref) => ref.startsWith(`refs/remotes/${other.name}/`));
}

/** The refs that the remote's fetch settings create, but that are not branches there, such as pull requests of anybody. */
function foreignRefs({ refspecs }: GitRemote): readonly RefTest[] {
  return refspecs.flatMap((refspec): RefTest[] => {
    const [source = '', target = ''] = refspec.replace(/^\+/, '').split(':');
    if (target === '' || !source.startsWith('refs/') || source.startsWith('refs/heads/')) return [];
    const [start = '', end] = target.split('*');
    return [(ref) => (end === undefined ? ref === target : ref.startsWith(start) && ref.endsWith(end))];
  });
}
