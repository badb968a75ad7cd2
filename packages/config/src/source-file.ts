import { nearest, NO_REPOSITORY, repositoryRefOf, type AllowlistEntry, type RepositoryName, type RepositoryRef, type ScopeRef } from '@vitrine/core';
import { z } from 'zod';
import { couldApprove, type Approvals } from './approvals.js';
import type { SourceConfig } from './config.js';
import { parsed } from './validation/problems.js';

/** What the configuration of a source depends on beside its own entry. */
export interface Surroundings {
  /** The entry of an approved repository, with its spelling and forge id; `undefined` if it is not approved. */
  readonly entryOf: (name: RepositoryName) => AllowlistEntry | undefined;
  /** Whether the file has a git source of the repository. */
  readonly hasGit: (name: RepositoryName) => boolean;
  /** Resolves a path against the folder of the configuration. */
  readonly located: (path: string) => string;
}

/** An entry of `sources` that is valid on its own. */
export interface SourceFile {
  readonly repository: RepositoryName | null;
  readonly isGit: boolean;
  /** None if its repository is not approved. */
  readonly configs: (surroundings: Surroundings) => readonly SourceConfig[];
}

export function unscoped(config: (surroundings: Surroundings) => SourceConfig): SourceFile {
  return { repository: null, isGit: false, configs: (surroundings) => [config(surroundings)] };
}

export function scoped(
  repository: RepositoryName,
  configs: (entry: AllowlistEntry, surroundings: Surroundings) => readonly SourceConfig[],
  isGit = false,
): SourceFile {
  return {
    repository,
    isGit,
    configs: (surroundings) => {
      const entry = surroundings.entryOf(repository);
      return entry === undefined ? [] : configs(entry, surroundings);
    },
  };
}

/** A source whose records may belong to a repository. @param config gets the ref, and the name as the allowlist spells it */
export function mayBeScoped(
  repository: RepositoryName | undefined,
  config: (ref: ScopeRef, fullName: string | null, surroundings: Surroundings) => SourceConfig,
): SourceFile {
  if (repository === undefined) return unscoped((surroundings) => config(NO_REPOSITORY, null, surroundings));
  return scoped(repository, (entry, surroundings) => [config(repositoryRefOf(entry, entry.forgeId), entry.fullName, surroundings)]);
}

/** The configuration of every source, without those whose repositories are not approved. */
export function sourceConfigs(
  sources: readonly SourceFile[],
  { approved, patterns }: Approvals,
  located: Surroundings['located'],
): readonly SourceConfig[] {
  const keyOf = (name: RepositoryName): RepositoryRef => repositoryRefOf(name, null);
  const possible = sources.flatMap(({ repository }) =>
    repository !== null && couldApprove(patterns, repository) ? { ...repository, forgeId: null } : [],
  );
  const entries = new Map([...possible, ...approved].map((entry) => [keyOf(entry), entry]));
  const withGit = new Set(sources.flatMap(({ repository, isGit }) => (isGit && repository !== null ? keyOf(repository) : [])));
  const surroundings: Surroundings = {
    entryOf: (name) => entries.get(keyOf(name)),
    hasGit: (name) => withGit.has(keyOf(name)),
    located,
  };
  return sources.flatMap(({ configs }) => configs(surroundings));
}

/** The schema of each kind of source, by the key that names its origin, in the order in which messages list the keys. */
export type SourceKinds = Readonly<Record<string, z.ZodType<SourceFile>>>;

/** The keys that name a repository of a forge. */
export const FORGE_KEYS = ['github', 'gitea', 'forgejo', 'gitlab'] as const;

/** The kind of a source is the key that it has or most likely means. So its problems are reported for one kind only. */
export function sourceOf(kinds: SourceKinds) {
  return z.unknown().transform((value, context): SourceFile => {
    const schema = kinds[sourceKind(value, Object.keys(kinds)) ?? ''];
    if (schema !== undefined) return parsed(schema, value, context);
    context.issues.push({
      code: 'custom',
      message: `does not say where its records come from; write one of the keys ${Object.keys(kinds).join(', ')}`,
      input: value,
    });
    return z.NEVER;
  });
}

/** A value that is not an object counts as a git source. `null`: an object without a key that means a kind. */
function sourceKind(value: unknown, names: readonly string[]): string | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'git';
  // A forge source may have the key git too.
  const exact = [...FORGE_KEYS, ...names].find((name) => Object.hasOwn(value, name));
  if (exact !== undefined) return exact;
  // The key forge belongs to git sources; forgejo is not meant.
  const meant = Object.keys(value).flatMap((key) => (key === 'forge' ? [] : nearest(key, names)));
  return names.findLast((kind) => meant.includes(kind)) ?? null;
}
