import type { FilesSourceConfig, ForgeSourceConfig, GitSourceConfig, SourceConfig } from '@vitrine/config';
import { NO_REPOSITORY, type RepositoryRef } from '@vitrine/core';

/** A source that reads records of other sources of its repository. */
export type DerivedSourceConfig = FilesSourceConfig & { readonly from: 'git' | 'releases'; readonly ref: RepositoryRef };

export function isDerived(source: SourceConfig): source is DerivedSourceConfig {
  return (source.kind === 'articles' || source.kind === 'changelog') && source.from !== 'disk' && source.ref !== NO_REPOSITORY;
}

/** Sources that read records of others come last, so that their first run finds some. */
export function inOrder(sources: readonly SourceConfig[]): readonly SourceConfig[] {
  return [...sources.filter((source) => !isDerived(source)), ...sources.filter(isDerived)];
}

/** The git source whose clone a source reads; `null` if it reads none, or if there is none. */
export function gitOf({ from, ref }: DerivedSourceConfig, sources: readonly SourceConfig[]): GitSourceConfig | null {
  if (from !== 'git') return null;
  return sources.find((source): source is GitSourceConfig => source.kind === 'git' && source.ref === ref) ?? null;
}

/** Whether a repository has a source of findings. */
export function hasFindings(source: SourceConfig): source is GitSourceConfig {
  return source.kind === 'git' && source.findings;
}

/** The source of the forge that hosts the repository of a git source; `null` if there is none. */
export function forgeOf({ ref }: GitSourceConfig, sources: readonly SourceConfig[]): ForgeSourceConfig | null {
  return sources.find((source): source is ForgeSourceConfig => source.kind === 'forge' && source.ref === ref) ?? null;
}
