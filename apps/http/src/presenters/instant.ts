import { formatInstant, type Instant } from '@vitrine/core';

/** Enough for the records of many lists, and small beside them. */
const KEPT = 20_000;
/** The same few thousand moments are shown again and again, and the platform takes long to write one. */
const texts = new Map<Instant, string>();

/** A moment as it stands on the wire: `YYYY-MM-DDTHH:mm:ss.sssZ`. */
export function presentInstant(instant: Instant): string {
  const known = texts.get(instant);
  if (known !== undefined) return known;
  if (texts.size >= KEPT) texts.clear();
  const text = formatInstant(instant);
  texts.set(instant, text);
  return text;
}

export function presentOptionalInstant(instant: Instant | null): string | null {
  return instant === null ? null : presentInstant(instant);
}
