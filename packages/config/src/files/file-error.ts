/** Why a file cannot be used although the system refused nothing. */
export class FileError extends Error {
  override readonly name = 'FileError';

  /** @param problem what is wrong, to be read after the file's path; @param remedy what to do about it, when that is always the same */
  constructor(
    readonly problem: string,
    readonly remedy: string | null = null,
  ) {
    super(problem);
  }
}
