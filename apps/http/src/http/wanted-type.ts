import { acceptedValues, entryFor } from '../cache/accepted-values.js';

interface WithAccept {
  readonly accept?: string | undefined;
}

const HTML = 'text/html';
const JSON_TYPE = 'application/json';

/** Whether a client prefers JSON to HTML. One that takes anything, as programs that preview links do, gets HTML. */
export function prefersJson(headers: WithAccept): boolean {
  const { accept } = headers;
  return accept?.includes('json') === true && wanted(accept) === JSON_TYPE;
}

/** Whether a client names HTML, as browsers do. */
export function asksForHtml(headers: WithAccept): boolean {
  const { accept } = headers;
  return accept?.includes('html') === true && wanted(accept) === HTML;
}

const RANGES: Readonly<Record<string, readonly string[]>> = { [HTML]: [HTML, 'text/*', '*/*'], [JSON_TYPE]: [JSON_TYPE, 'application/*', '*/*'] };

/** The type of the higher quality; of equal ones, the first one that is named. `null` if neither is acceptable. */
function wanted(accept: string): string | null {
  const entries = acceptedValues(accept);
  const first = entries.find(({ value }) => value in RANGES)?.value;
  const types = first === JSON_TYPE ? [JSON_TYPE, HTML] : [HTML, JSON_TYPE];
  let best: { readonly type: string | null; readonly quality: number } = { type: null, quality: 0 };
  for (const type of types) {
    const quality = entryFor(entries, RANGES[type] ?? [])?.quality ?? 0;
    if (quality > best.quality) best = { type, quality };
  }
  return best.type;
}
