/** An authority without user info, then any characters except white space. */
const SHAPE = /^https?:\/\/[^/?#\\\s@]+(?:[/?#]\S*)?$/i;
const MAX_LENGTH = 2_048;

/** Whether the text is an absolute http or https address of at most 2,048 characters without user name and password. */
export function isWebAddress(text: string): boolean {
  return text.length <= MAX_LENGTH && SHAPE.test(text) && URL.canParse(text);
}
