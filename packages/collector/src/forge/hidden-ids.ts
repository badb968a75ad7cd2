import { parseRepositoryName } from '@vitrine/core';
import { hiddenRepositorySync } from '../approvals/hidden-repository.js';

const FORGE_SOURCE = /^(?:github|gitea|gitlab):(.+)$/;

/** The id of the sync record that hides a repository. @param name `owner/name` in any letter case */
export function hiddenRepositoryId(name: string): string {
  return hiddenRepositorySync(name, { since: 0, reason: 'gone', at: 0, intervalMs: 0 }).id;
}

/** The id of the sync record with which a source of a forge hides its repository; none for other sources. @param source the id of the source's sync record */
export function hiddenIdOfSource(source: string): readonly string[] {
  const name = FORGE_SOURCE.exec(source)?.[1] ?? '';
  return parseRepositoryName(name) === null ? [] : [hiddenRepositoryId(name)];
}
