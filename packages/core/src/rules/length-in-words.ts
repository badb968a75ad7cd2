import { HOUR, MINUTE, SECOND } from '../kinds/instant.js';

/** To make a format takes longer than to use it many times. */
const formats = new Map<string, Intl.NumberFormat>();

/** `1 hour and 34 minutes`, `26 minutes` or `40 seconds`: for a sentence. Rounded, and at least a second. @param locale such as `en-GB` */
export function lengthInWords(milliseconds: number, locale: string): string {
  const seconds = Math.max(1, Math.round(milliseconds / SECOND));
  if (seconds * SECOND < MINUTE) return counted(seconds, 'second', locale);
  const rounded = Math.round(milliseconds / MINUTE) * MINUTE;
  const [hours, minutes] = [Math.floor(rounded / HOUR), (rounded % HOUR) / MINUTE];
  const parts = [...(hours > 0 ? [counted(hours, 'hour', locale)] : []), ...(minutes > 0 ? [counted(minutes, 'minute', locale)] : [])];
  return new Intl.ListFormat(locale).format(parts);
}

function counted(count: number, unit: 'second' | 'minute' | 'hour', locale: string): string {
  const key = `${locale} ${unit}`;
  const format = formats.get(key) ?? new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' });
  formats.set(key, format);
  return format.format(count);
}
