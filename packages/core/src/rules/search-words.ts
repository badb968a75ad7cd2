/** Scripts without spaces between words. Their text is searched as overlapping pairs of characters. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;
const RUN = /[\p{L}\p{M}\p{N}]+/gu;
const UNSPACED_OR_OTHER =
  /([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{M}]+)|([^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]+)/gu;
const COMPOUND_PART = /\p{Lu}[\p{Lu}\p{M}\p{N}]*(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lt}\p{Lo}\p{Lm}\p{M}\p{N}]+/gu;
const ASCII = /^[\0-\x7f]*$/;
const ASCII_RUN = /[A-Za-z0-9]+/g;
/** Where a word in ASCII consists of two parts. Most text does not match and need not be split. */
const ASCII_SEAM = /[a-z0-9][A-Z]|[A-Z]{2}[a-z]/;
const VERSION = /^v(\p{Nd}.*)$/u;
const COMBINING = /[\u0300-\u036f]+/g;

/** The form in which text is compared: no accents, composed (NFC), lower case. */
function fold(text: string): string {
  return text.normalize('NFKD').replace(COMBINING, '').normalize('NFC').toLowerCase();
}

/** The words of a query, in order: runs of letters, marks and digits. Scripts without spaces give pairs of characters. */
export function queryWords(text: string): string[] {
  if (ASCII.test(text)) return text.toLowerCase().match(ASCII_RUN) ?? [];
  return [...fold(text).matchAll(RUN)].flatMap(([run]) => splitUnspaced(run));
}

/** The words under which text is found, each once: its {@link queryWords}, parts of compounds (`camelCase`), and versions without their `v` (`v1.2.0`). */
export function entryWords(text: string): string[] {
  const own = queryWords(text);
  const words = new Set(own);
  for (const word of own) {
    const version = VERSION.exec(word)?.[1];
    if (version !== undefined) words.add(version);
  }
  for (const part of compoundParts(text)) for (const word of queryWords(part)) words.add(word);
  return [...words];
}

/** Whether a word of the text may start with one of `starts`. If not, the text need not be split into words. This excludes most texts. */
export function mayHoldWord(text: string, starts: readonly string[]): boolean {
  if (!ASCII.test(text)) return true;
  const lower = text.toLowerCase();
  return starts.some((start) => lower.includes(start));
}

/** `HTTPServer2` gives `HTTP` and `Server2`. Separators already split snake_case and paths. Digits do not split, so that a sha stays whole. */
function compoundParts(text: string): string[] {
  if (ASCII.test(text) && !ASCII_SEAM.test(text)) return [];
  const runs = text.normalize('NFC').match(RUN) ?? [];
  return runs.flatMap((run) => {
    if (ASCII.test(run) && !ASCII_SEAM.test(run)) return [];
    const parts = splitCompound(run);
    return parts.length > 1 ? parts : [];
  });
}

function splitCompound(run: string): string[] {
  // The last capital of an acronym starts the next word, if a small letter follows.
  const separated = run.replace(/(\p{Lu})(\p{Lu}\p{M}*\p{Ll})/gu, '$1\0$2');
  return separated.split('\0').flatMap((piece) => piece.match(COMPOUND_PART) ?? []);
}

function splitUnspaced(run: string): string[] {
  if (!UNSPACED.test(run)) return [run];
  return [...run.matchAll(UNSPACED_OR_OTHER)].flatMap(([, unspaced, other]) => (unspaced === undefined ? [other ?? ''] : pairsOf(unspaced)));
}

function pairsOf(run: string): string[] {
  const characters = [...run];
  return characters.length < 2 ? characters : characters.slice(1).map((character, index) => (characters[index] ?? '') + character);
}

/** The words of a query. All must match. The last word also matches as a prefix if it has at least two characters. */
export interface SearchWords {
  readonly whole: readonly string[];
  /** The last word, if it may also match as a prefix. It is not in `whole`. */
  readonly prefix: string | null;
}

export const MIN_QUERY_LENGTH = 2;
export const MAX_QUERY_LENGTH = 100;

const CONTROL = /\p{Cc}/u;

/** The query in NFC, trimmed, with white space collapsed. `null` if it has control characters, or not 2 to 100 code points. */
export function normalizeQuery(text: string): string | null {
  if (CONTROL.test(text)) return null;
  const query = text.normalize('NFC').trim().replace(/\s+/gu, ' ');
  const length = [...query].length;
  return length >= MIN_QUERY_LENGTH && length <= MAX_QUERY_LENGTH ? query : null;
}

/** The words of a normalised query, each once; `null` if it contains none, such as `++`. */
export function searchWordsOf(query: string): SearchWords | null {
  const words = queryWords(query);
  const last = words.at(-1);
  if (last === undefined) return null;
  const prefix = [...last].length >= 2 ? last : null;
  const whole = new Set(prefix === null ? words : words.slice(0, -1));
  return { whole: [...whole], prefix };
}

const SHA_ABBREVIATION = /^[0-9a-f]{7,64}$/;

/** Whether a word, at any position in the query, also matches the start of a commit's sha. */
export function isShaAbbreviation(word: string): boolean {
  return SHA_ABBREVIATION.test(word);
}
