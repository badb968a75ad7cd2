import { withoutUserInfo } from '@vitrine/config/internal';
import { MAX_QUOTED, quotable } from '@vitrine/core';

/** A problem of git or a repository that a person must fix. The message says what is wrong, and never contains credentials. */
export class GitError extends Error {
  /** The whole output of git. It may contain secrets, so only {@link says} uses it. */
  readonly #said: string;

  constructor(
    message: string,
    /** The exit code, if git itself exited. */
    readonly exitCode: number | null = null,
    said = message,
  ) {
    super(withoutUserInfo(message));
    this.name = 'GitError';
    this.#said = said;
  }

  /** Whether git's output matches, including the parts that the message leaves out. */
  says(pattern: RegExp): boolean {
    return pattern.test(this.#said);
  }
}

/** Lines that come from another machine. */
const REMOTE = /^(?:remote:|fatal: remote error:)/;
/** Git's own messages can contain a long path, followed by the reason. */
const LONGEST_OWN = 300;

/** A line of git's output in the form that a message may quote: without credentials and e-mail addresses. Text from another machine is cut to its beginning. */
export function quotedLine(line: string): string {
  return quotable(withoutUserInfo(line), REMOTE.test(line) ? MAX_QUOTED : LONGEST_OWN);
}
