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

/** The type of the higher quality; of equal ones, the first one that is named. `null` if neither is acceptable. */
function wanted(accept: string): string | null {
  const entries = acceptedValues(accept);
  const [html, json] = [HTML, JSON_TYPE].map((type) => entryFor(entries, [type, `${type.split('/', 1).join('')}/*`, '*/*']));
  const [ofHtml, ofJson] = [html?.quality ?? 0, json?.quality ?? 0];
  if (ofHtml === 0 && ofJson === 0) return null;
  if (ofHtml !== ofJson) return ofHtml > ofJson ? HTML : JSON_TYPE;
  const named = entries.find(({ value }) => value === HTML || value === JSON_TYPE);
  return named?.value ?? HTML;
}
