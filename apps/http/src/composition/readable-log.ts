import type { DestinationStream } from 'pino';
import { prettyFactory } from 'pino-pretty';

/**
 * Writes each line of the log for people, as one line: time, level, message, and the other fields as JSON. It formats in this process and at once, because a
 * worker thread would lose the last lines before an exit.
 *
 * @param hasColors whether the terminal may get codes for colours
 */
export function readableLog(logs: DestinationStream, hasColors: boolean): DestinationStream {
  // Errors are printed over several lines by default.
  const format = prettyFactory({ colorize: hasColors, singleLine: true, translateTime: 'SYS:HH:MM:ss', errorLikeObjectKeys: [] });
  return {
    write: (line) => {
      logs.write(format(line));
    },
  };
}
