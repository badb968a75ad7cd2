import { DAY, HOUR, MINUTE, SECOND } from '../kinds/instant.js';

/** To make a format takes longer than to use it many times. */
const formats = new Map<string, Intl.NumberFormat>();

/** `2 days and 4 hours`, `1 hour and 34 minutes`, `26 minutes` or `40 seconds`: for a sentence. Days from 48 hours on. Rounded, and at least a second. @param locale such as `en-GB` */
export function lengthInWords(milliseconds: number, locale: string): string {
  const seconds = Math.max(1, Math.round(milliseconds / SECOND));
  if (seconds * SECOND < MINUTE) return counted(seconds, 'second', locale);
  const rounded = Math.round(milliseconds / MINUTE) * MINUTE;
  const parts = rounded < 2 * DAY ? partsOf(rounded, ['hour', HOUR], ['minute', MINUTE]) : partsOf(milliseconds, ['day', DAY], ['hour', HOUR]);
  return new Intl.ListFormat(locale).format(parts.map(([unit, count]) => counted(count, unit, locale)));
}

type Unit = 'second' | 'minute' | 'hour' | 'day';

/** A length in two units, without those of which there are none. It is rounded to the smaller one. */
function partsOf(milliseconds: number, [large, largeMs]: readonly [Unit, number], [small, smallMs]: readonly [Unit, number]) {
  const rounded = Math.round(milliseconds / smallMs) * smallMs;
  const parts: readonly (readonly [Unit, number])[] = [
    [large, Math.floor(rounded / largeMs)],
    [small, (rounded % largeMs) / smallMs],
  ];
  return parts.filter(([, count]) => count > 0);
}

function counted(count: number, unit: Unit, locale: string): string {
  const key = `${locale} ${unit}`;
  const format = formats.get(key) ?? new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' });
  formats.set(key, format);
  return format.format(count);
}
