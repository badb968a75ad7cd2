/** A file cannot be used for a reason that is not an error of the operating system. */
export class FileError extends Error {
  override readonly name = 'FileError';

  /** @param problem follows the path of the file in messages; @param remedy how to fix it, if that is always the same */
  constructor(
    readonly problem: string,
    readonly remedy: string | null = null,
  ) {
    super(problem);
  }
}
