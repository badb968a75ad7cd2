/** Something about git or its repository that a person has to put right; the message says what, and never holds credentials. */
export class GitError extends Error {
  constructor(
    message: string,
    /** What git ended with, where it ended by itself. */
    readonly exitCode: number | null = null,
  ) {
    super(withoutUserInfo(message));
    this.name = 'GitError';
  }
}

/** The text with `user:password@` cut from every address in it. */
export function withoutUserInfo(text: string): string {
  return text.replace(/([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/?#]*@/gi, '$1');
}
