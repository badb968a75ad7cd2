const SHA = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
const ABBREVIATION = /^[0-9a-f]{7,64}$/;

/** Whether the text is a full commit id: 40 or 64 lower-case hexadecimal digits. */
export function isSha(text: string): boolean {
  return SHA.test(text);
}

/** Returns a full sha, or an abbreviation of at least 7 digits, in lower case; `null` for any other text. */
export function parseShaPrefix(text: string): string | null {
  const lower = text.toLowerCase();
  return ABBREVIATION.test(lower) && lower.length === text.length ? lower : null;
}
