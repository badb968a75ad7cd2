/** Nearly every sha is unique, so only its prefix is a term. */
const SHA_LENGTH = 12;

/** The term for a word of a title field; a word of another field is a term as it is. They differ, because title hits come first and most words are in other fields. */
export function titleTerm(word: string): string {
  return `!${word}`;
}

/** The term for the prefix of a sha, which counts as a title. No word contains `!` or `#`. */
export function shaTerm(sha: string): string {
  return `!#${sha.slice(0, SHA_LENGTH)}`;
}
