const MARK = /[<>@]/g;
const BLANK = /\s/;
const LOCAL_PART = /^[\p{L}\p{M}\p{N}._%+'-]$/u;
const DOMAIN = /(?:[\p{L}\p{M}\p{N}-]+\.)+(?:xn--[a-z0-9-]+|\p{L}[\p{L}\p{M}]+)/iuy;
/** RFC 5321: the longest part before the `@`. */
const MAX_LOCAL_PART = 64;

/**
 * The text without e-mail addresses: `Co-authored-by: Ada <ada@example.org>` becomes `Co-authored-by: Ada`. A bare address needs a top-level domain of
 * letters, so that `widget@1.2.3` stays. Reads hostile text, too, a constant number of times.
 */
export function withoutEmail(text: string): string {
  return text.includes('@') ? withoutBare(withoutBracketed(text)) : text;
}

/** Cuts every `<…@…>` without blanks inside, nested ones too, and the blanks before it, unless what follows would then join what stood before. */
function withoutBracketed(text: string): string {
  const kept: string[] = [];
  /** Brackets that are open: how many pieces stand before each, and whether an `@` came since. */
  let open: { readonly at: number; hasAt: boolean }[] = [];
  let done = 0;
  for (const { 0: mark, index } of text.matchAll(MARK)) {
    const between = text.slice(done, index);
    done = index + 1;
    if (BLANK.test(between)) open = [];
    kept.push(between, mark);
    const top = open.at(-1);
    if (mark === '<') open.push({ at: kept.length - 1, hasAt: false });
    else if (mark === '>') cutClosed(kept, open.pop(), text[done] ?? ' ');
    else if (top !== undefined) top.hasAt = true;
  }
  return kept.join('') + text.slice(done);
}

function cutClosed(kept: string[], bracket: { readonly at: number; readonly hasAt: boolean } | undefined, following: string): void {
  if (bracket?.hasAt !== true) return;
  kept.length = bracket.at;
  if (BLANK.test(following)) kept[bracket.at - 1] = withoutBlanksAtEnd(kept[bracket.at - 1] ?? '');
}

function withoutBlanksAtEnd(text: string): string {
  let end = text.length;
  while (text[end - 1] === ' ' || text[end - 1] === '\t') end -= 1;
  return text.slice(0, end);
}

/** Walks from each `@` to both sides: a pattern that begins with the part before it would try every start of every word. */
function withoutBare(text: string): string {
  let kept = '';
  let done = 0;
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const start = Math.max(done, text[at - 1] === '"' ? quotedStart(text, at) : plainStart(text, at));
    DOMAIN.lastIndex = at + 1;
    if (start >= at || !DOMAIN.test(text)) continue;
    kept += text.slice(done, start);
    done = DOMAIN.lastIndex;
  }
  return kept + text.slice(done);
}

/** Where the name before an `@` begins; the `@` itself when there is none. */
function plainStart(text: string, at: number): number {
  for (let start = at; ;) {
    const width = /[\udc00-\udfff]/.test(text[start - 1] ?? '') ? 2 : 1;
    if (start < width || !LOCAL_PART.test(text.slice(start - width, start))) return start;
    start -= width;
  }
}

/** The same for a name in quotation marks, such as `"Ada L"@example.org`. */
function quotedStart(text: string, at: number): number {
  const opening = text.slice(Math.max(0, at - MAX_LOCAL_PART - 2), at - 1).lastIndexOf('"');
  return opening < 0 ? at : Math.max(0, at - MAX_LOCAL_PART - 2) + opening;
}
