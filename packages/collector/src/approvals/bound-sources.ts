import type { Config, SourceConfig } from '@vitrine/config';
import { asciiLowerCase, nameOfRef, NO_REPOSITORY, repositoryRefOf, type AllowlistEntry } from '@vitrine/core';
import { candidatesOf } from './current-approval.js';
import type { StoredApprovals } from './stored-approvals.js';

/** What decides which sources run. */
export type SourceApprovals = Pick<Config, 'approved' | 'patterns' | 'sources'>;

export interface BoundSources {
  readonly sources: readonly SourceConfig[];
  /** One line for each source that is left out: its repository, and why. */
  readonly skipped: readonly string[];
}

/** Gives the sources of repositories that only a pattern approves their refs, with the ids from the list of the owner. Those that no list has are left out. */
export function boundSources(config: SourceApprovals, stored: StoredApprovals): BoundSources {
  const entries = new Map(candidatesOf(config, stored).map((entry) => [asciiLowerCase(entry.fullName), entry]));
  const [sources, skipped]: [SourceConfig[], string[]] = [[], []];
  for (const source of config.sources) {
    const name = repositoryOf(source);
    const entry = name === null ? null : entries.get(name);
    if (entry === null) sources.push(source);
    else if (entry !== undefined) sources.push(boundTo(source, entry));
    else skipped.push(skippedLine(String(name)));
  }
  return { sources, skipped };
}

function repositoryOf(source: SourceConfig): string | null {
  return 'ref' in source && source.ref !== NO_REPOSITORY ? nameOfRef(source.ref) : null;
}

function boundTo(source: SourceConfig, entry: AllowlistEntry): SourceConfig {
  const { fullName, owner, name, forgeId } = entry;
  if (!('ref' in source)) return source;
  const bound = { ...source, ref: repositoryRefOf(entry, forgeId) };
  return bound.kind === 'git' || bound.kind === 'forge' ? { ...bound, name: { fullName, owner, name } } : bound;
}

function skippedLine(name: string): string {
  return `${name} is not in the list of its owner, so its source is skipped. The pattern in approved finds it when it is public, and no fork or archive unless the pattern says so.`;
}
