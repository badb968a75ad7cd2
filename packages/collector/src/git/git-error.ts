import { MAX_QUOTED, quotable } from '@vitrine/core';

/** Something about git or its repository that a person has to put right; the message says what, and never holds credentials. */
export class GitError extends Error {
  /** All that git said. For {@link says} alone: it may hold what no log should. */
  readonly #said: string;

  constructor(
    message: string,
    /** What git ended with, where it ended by itself. */
    readonly exitCode: number | null = null,
    said = message,
  ) {
    super(withoutUserInfo(message));
    this.name = 'GitError';
    this.#said = said;
  }

  /** Whether git said something of this kind, also in words that the message leaves out. */
  says(pattern: RegExp): boolean {
    return pattern.test(this.#said);
  }
}

/** Another machine's own words. */
const REMOTE = /^(?:remote:|fatal: remote error:)/;
/** What git says itself can hold a long path and, behind it, what is wrong. */
const LONGEST_OWN = 300;

/** A line that git printed, as a message may quote it: without credentials and e-mail addresses, and only the beginning of what another machine says. */
export function quotedLine(line: string): string {
  return quotable(withoutUserInfo(line), REMOTE.test(line) ? MAX_QUOTED : LONGEST_OWN);
}

/** The text with `user:password@` cut from every address in it. */
export function withoutUserInfo(text: string): string {
  return text.replace(/([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/?#]*@/gi, '$1');
}
