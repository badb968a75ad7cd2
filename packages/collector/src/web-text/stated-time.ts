import { DAY, isInstant, type Instant } from '@vitrine/core';

/** Times before this were not published on the web. Years such as 0, 1 and 1970 are mistakes of programs. */
const FIRST = Date.UTC(1990, 0, 1);
/** RFC 3339 and RFC 822 require a zone. A time without one is read as UTC, wherever Vitrine runs. */
const HAS_ZONE = /(?:z|[+-]\d{2}:?\d{2}|\b(?:gmt|utc?|[ecmp][sd]t))\s*(?:\([^)]*\))?$/i;
const IS_DATE = /^\d{4}(?:-\d{2}){0,2}$/;
/** Longer texts are not times. The search for a zone would take quadratic time for them. */
const LONGEST = 100;

/** The time that a document states for something that it has published; `null` if there is none, or if it cannot be true: before 1990, or more than a day ahead. */
export function statedTime(text: string | undefined, now: Instant): Instant | null {
  const stated = text?.trim() ?? '';
  if (stated.length > LONGEST) return null;
  const time = Date.parse(withZone(stated));
  return isInstant(time) && time >= FIRST && time <= now + DAY ? time : null;
}

function withZone(text: string): string {
  if (IS_DATE.test(text) || HAS_ZONE.test(text)) return text;
  return /^\d{4}-/.test(text) ? `${text.replace(' ', 'T')}Z` : `${text} GMT`;
}
