import { quotable } from '@vitrine/core';

/** The message of an error begins with the cause. Its end may contain private data. */
const LONGEST_MESSAGE = 300;
const MOST_CAUSES = 4;

interface LoggedError {
  readonly type: string;
  /** With the messages of its causes. */
  readonly message: string;
  readonly code?: string | number;
  /** Where it was thrown, without the message. */
  readonly stack: string;
}

/**
 * What the log keeps of an unexpected error. Only named fields: errors of the driver and of Node carry documents, commands and addresses with them, which
 * may be private.
 */
export function errorForLog(error: unknown): LoggedError {
  const causes = causesOf(error);
  const [first] = causes;
  if (first === undefined) return { type: typeof error, message: '', stack: '' };
  const message = causes.map((cause) => quotable(withoutKey(cause.message), LONGEST_MESSAGE)).join(': ');
  return { type: first.name, message, ...codeOf(first), stack: framesOf(first.stack ?? '') };
}

function codeOf(error: Error): Pick<LoggedError, 'code'> {
  const code: unknown = 'code' in error ? error.code : undefined;
  return typeof code === 'string' || typeof code === 'number' ? { code } : {};
}

function causesOf(error: unknown): readonly Error[] {
  const causes: Error[] = [];
  for (let cause = error; cause instanceof Error && causes.length < MOST_CAUSES; cause = cause.cause) causes.push(cause);
  return causes;
}

/** The server names the key of a document that it has already. */
function withoutKey(message: string): string {
  return message.replace(/ dup key: .*/s, '');
}

function framesOf(stack: string): string {
  const lines = stack.split('\n');
  return lines.filter((line) => line.startsWith('    at ')).join('\n');
}
