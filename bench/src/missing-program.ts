/** A benchmark needs a program that is not installed. The message says how to install it. */
export class MissingProgramError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'MissingProgramError';
  }
}
