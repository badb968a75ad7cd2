import { basename } from 'node:path';
import { isSourceLabel } from './config-fields.js';

/** The label of a feed that has none: its host. */
export function labelOfAddress(address: string): string {
  return URL.canParse(address) ? new URL(address).hostname : address;
}

const LONGEST_PREFIX = 20;

/** The first part of the service keys and incident ids that a provider's status page brings. @param label of the source */
export function providerPrefix(label: string): string {
  const words = label.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return words.join('-').slice(0, LONGEST_PREFIX).replace(/-$/, '') || 'provider';
}

/** The label of a folder or a file that has none: its repository, or else the name of the folder. */
export function labelOfPath(kind: 'articles' | 'changelog', path: string, repository: string | null): string {
  if (repository !== null) return repository;
  const name = kind === 'articles' ? basename(path) : kind;
  return isSourceLabel(name) && !name.startsWith('.') ? name : kind;
}
