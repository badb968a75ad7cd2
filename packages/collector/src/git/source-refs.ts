import type { Environment } from '@vitrine/config';
import { branchScope, type BranchScope, type ScopeOptions } from './branch-scope.js';
import type { FolderRepository } from './folder-repository.js';
import { readingEnvironment } from './git-environment.js';
import { readRefs, type GitRefs } from './git-refs.js';
import { Git } from './git.js';

/** What {@link readSourceRefs} needs to know of a source. */
export interface SourceRefsOptions extends ScopeOptions {
  readonly environment: Environment;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** What a git source shows of a repository at one moment, and how to read more of it. */
export interface SourceRefs {
  readonly git: Git;
  readonly scope: BranchScope;
  readonly refs: GitRefs;
}

export async function readSourceRefs(repository: FolderRepository, options: SourceRefsOptions): Promise<SourceRefs> {
  const { environment, timeoutMs, signal } = options;
  const git = new Git({ gitDir: repository.gitDir, environment: readingEnvironment(environment), timeoutMs, signal });
  const scope = await branchScope(git, repository, options);
  return { git, scope, refs: await readRefs(git, repository, scope) };
}
