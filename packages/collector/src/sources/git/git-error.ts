import { MAX_QUOTED, quotable, withoutCredentials } from '@vitrine/core';
import { SourceError } from '../../running/source-error.js';

/** A problem of git or a repository that a person must fix. The message says what is wrong, and never contains credentials. */
export class GitError extends SourceError {
  /** @param exitCode that of git; `null` if git has not exited by itself */
  constructor(
    message: string,
    readonly exitCode: number | null = null,
  ) {
    super(message, 'FAILED');
  }
}

/** Lines that come from another machine. */
const REMOTE = /^(?:remote:|fatal: remote error:)/;
/** Git's own messages can contain a long path, followed by the reason. */
const LONGEST_OWN = 300;

/** A line of git's output in the form that a message may quote: without credentials and e-mail addresses. Text from another machine is cut to its beginning. */
export function quotedLine(line: string): string {
  return quotable(line, REMOTE.test(line) ? MAX_QUOTED : LONGEST_OWN);
}

/** Messages of git, its ssh or the remote, without progress messages. */
const SAID = /^(?:fatal|error|warning|remote|ssh): (?!Total|Enumerating|Counting|Compressing)/;
/** Git prints this when ssh has failed. The reason is on the line before. */
const SSH_FAILED = 'fatal: Could not read from remote repository.';
/** Messages of ssh can name files of this user, such as keys. */
const PATH = /(?:^|[\s"'(=])[/~]/;

/** The last lines of git's output that say what is wrong, in the form that a message may quote; empty if there are none. */
export function quotedReasons(output: string): string {
  const lines = output.split(/[\r\n]+/);
  const reasons = lines.flatMap((line, index) => {
    if (SAID.test(line) && !(line.startsWith('ssh:') && PATH.test(line))) return quotedLine(line);
    // The remote can send a text that looks like one of ssh.
    return lines[index + 1] === SSH_FAILED && !PATH.test(line) ? quotable(line, MAX_QUOTED) : [];
  });
  return reasons.slice(-3).join(' ');
}

/**
 * The end of git's output, in the form that a message may quote.
 *
 * @param most the length to which the output was cut. What is left of a word at the cut is dropped, because nothing would show that it is the end of an address
 */
export function quotedEnd(output: string, most: number): string {
  const whole = output.length < most ? output : output.replace(/^\S*/, '');
  return quotedLine(withoutCredentials(whole.trim()).slice(-LONGEST_OWN));
}
