import { styleText } from 'node:util';
import { type GateMonitor, quotable, type RecordKind, withoutCredentials } from '@vitrine/core';
import type { DestinationStream, Logger } from 'pino';

/** The message of an error begins with the cause. Its end may contain private data. */
const LONGEST_MESSAGE = 300;
const MOST_CAUSES = 4;

interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly code?: string | number;
  /** Where it was thrown, without the message. */
  readonly stack: string;
}

/** Only named fields: errors of the driver and of Node carry documents, commands and addresses, which may be private. */
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

/** The part of a log line about an error. User errors: the message only. Bugs: with the stack. */
export function loggedError(error: unknown): { readonly problem: string } | { readonly err: unknown } {
  return isExpected(error) ? { problem: withoutCredentials(error.message) } : { err: error };
}

/** They are recognized by their names, because their classes are in packages that may not be installed. */
const EXPECTED: ReadonlySet<string> = new Set(['ConfigError', 'MongoStoreError', 'SourceError', 'StoreFolderError']);

function isExpected(error: unknown): error is Error {
  return error instanceof Error && EXPECTED.has(error.name);
}

/** Counts and logs the records that the second gate refused. Each is a bug of a reader, so it is logged as an error, without the name of the repository. */
export class LoggingGateMonitor implements GateMonitor {
  readonly #refused = new Map<RecordKind, number>();

  constructor(private readonly logger: Logger) {}

  refused(kind: RecordKind): void {
    const total = (this.#refused.get(kind) ?? 0) + 1;
    this.#refused.set(kind, total);
    this.logger.error({ kind, total }, 'a reader returned a record that is not approved; it was dropped');
  }
}

const LEVELS = {
  10: ['TRACE', 'gray'],
  20: ['DEBUG', 'blue'],
  30: ['INFO', 'green'],
  40: ['WARN', 'yellow'],
  50: ['ERROR', 'red'],
  60: ['FATAL', 'magenta'],
} as const;

/** Writes each line of the log for people: time, level, message, and the other fields as JSON. @param hasColors whether to colour the level */
export function readableLog(logs: DestinationStream, hasColors: boolean): DestinationStream {
  return {
    write: (line) => logs.write(`${readable(line, hasColors)}\n`),
  };
}

function readable(line: string, hasColors: boolean): string {
  const event: unknown = JSON.parse(line);
  if (typeof event !== 'object' || event === null) return line;
  const { level, time, msg, ...fields }: Readonly<Record<string, unknown>> = { ...event };
  const [name, colour] = levelOf(level);
  const shown = hasColors ? styleText(colour, name, { validateStream: false }) : name;
  const rest = Object.keys(fields).length === 0 ? '' : ` ${JSON.stringify(fields)}`;
  return `[${clockTime(Number(time))}] ${shown}: ${cleaned(msg)}${rest}`;
}

function levelOf(level: unknown): (typeof LEVELS)[keyof typeof LEVELS] {
  return Object.entries(LEVELS).find(([number]) => number === String(level))?.[1] ?? LEVELS[30];
}

function clockTime(time: number): string {
  return new Date(time).toTimeString().slice(0, 8);
}

/** A message is one line, and cannot control the terminal. */
function cleaned(message: unknown): string {
  return typeof message === 'string' ? message.replace(/\p{Cc}+/gu, ' ') : '';
}
