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

/** A package that only some configurations need is not installed. */
export class MissingPackageError extends Error {
  override readonly name = 'MissingPackageError';
}

/** Loads a part of the program. Rejects with a {@link MissingPackageError} if the package that it needs is not installed. @param user what needs it, as in `A store on MongoDB` */
export async function loadWith<Part>(name: string, user: string, load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch (error) {
    if (!isMissing(error, name)) throw error;
    throw new MissingPackageError(`${user} needs the package ${name}, which is not installed. Install it: npm install ${name}`);
  }
}

/** Node names the package in the message only. */
function isMissing(error: unknown, name: string): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND' && error.message.includes(`'${name}'`);
}
