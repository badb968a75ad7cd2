import type { GitLocation } from '@vitrine/config';
import { readGitLocation } from '@vitrine/config/internal';
import { GitError } from './git-error.js';

/** Reads a configured location. Throws a {@link GitError} that says what is wrong and how to fix it. */
export function parseGitLocation(text: string): GitLocation {
  const location = readGitLocation(text);
  if (location.kind === 'malformed') throw new GitError(location.problem);
  return location;
}
