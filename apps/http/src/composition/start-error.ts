/** Why the service does not start: lines for people, and the exit code. */
export class StartError extends Error {
  constructor(
    readonly lines: readonly string[],
    readonly exitCode: 2 | 3,
  ) {
    super(lines.join('\n'));
    this.name = 'StartError';
  }
}

/** The command line or the configuration cannot be used. */
export function unusable(...lines: readonly string[]): StartError {
  return new StartError(lines, 2);
}

/** The store or the address cannot be had. */
export function unobtainable(line: string): StartError {
  return new StartError([line], 3);
}
