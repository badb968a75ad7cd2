import { styleText } from 'node:util';
import type { DestinationStream } from 'pino';

/** The names of pino's levels, with the colour of each. */
const LEVELS = {
  10: ['TRACE', 'gray'],
  20: ['DEBUG', 'blue'],
  30: ['INFO', 'green'],
  40: ['WARN', 'yellow'],
  50: ['ERROR', 'red'],
  60: ['FATAL', 'magenta'],
} as const;

/**
 * Writes each line of the log for people, as one line: time, level, message, and the other fields as JSON.
 *
 * @param hasColors whether the terminal may get codes for colours
 */
export function readableLog(logs: DestinationStream, hasColors: boolean): DestinationStream {
  return {
    write: (line) => {
      logs.write(`${readable(line, hasColors)}\n`);
    },
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

/** `HH:mm:ss` of this machine's time zone. */
function clockTime(time: number): string {
  return new Date(time).toTimeString().slice(0, 8);
}

/** A message is one line, and cannot control the terminal. */
function cleaned(message: unknown): string {
  return typeof message === 'string' ? message.replace(/\p{Cc}+/gu, ' ') : '';
}
