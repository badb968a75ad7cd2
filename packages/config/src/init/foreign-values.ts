import { DAY, HOUR, MINUTE, SECOND } from '@vitrine/core';

/** What is different about a check of a name. */
export const OTHER_NAME_SERVERS = 'the name is looked up with the name servers of this machine, and its records are not compared';

/** The value of an own key; `undefined` without one. */
export function at(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
}

/** A text, or a number as text; `''` for every other value. */
export function textAt(value: unknown, key: string): string {
  const found = at(value, key);
  return typeof found === 'string' || typeof found === 'number' ? String(found) : '';
}

/** A finite number, also one that is written as text; `null` for every other value. */
export function numberAt(value: unknown, key: string): number | null {
  const text = textAt(value, key).trim();
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : null;
}

/** The items of a list, or the values of an object; none for every other value. */
export function itemsAt(value: unknown, key: string): readonly unknown[] {
  const found = at(value, key);
  if (Array.isArray(found)) return found;
  return typeof found === 'object' && found !== null ? Object.values(found) : [];
}

/** Which of the keys have a value that says something. */
export function presentKeys(value: unknown, keys: readonly string[]): readonly string[] {
  return keys.filter((key) => {
    const found = at(value, key);
    if (found === undefined || found === null || found === false || found === '') return false;
    return typeof found !== 'object' || Object.keys(found).length > 0;
  });
}

const GO_UNITS: Readonly<Record<string, number>> = { ms: 1, s: SECOND, m: MINUTE, h: HOUR };

/** Milliseconds of a duration as Go writes it, such as `1m30s`; `null` if it is not one. */
export function goDuration(text: string): number | null {
  if (!/^(?:\d{1,9}(?:\.\d{1,9})?(?:ms|s|m|h)){1,8}$/.test(text)) return null;
  const parts = text.split(/(?<=[a-z])(?=\d)/);
  return parts.reduce((sum, part) => sum + Number.parseFloat(part) * (GO_UNITS[part.replace(/[\d.]/g, '')] ?? 0), 0);
}

/** A duration as the configuration of Vitrine writes it, rounded up to seconds. */
export function durationText(milliseconds: number): string {
  const rounded = Math.ceil(milliseconds / SECOND) * SECOND;
  const units = [
    [DAY, 'd'],
    [HOUR, 'h'],
    [MINUTE, 'm'],
  ] as const;
  const [unit, letter] = units.find(([size]) => rounded > 0 && rounded % size === 0) ?? [SECOND, 's'];
  return `${String(rounded / unit)}${letter}`;
}

/** The JSON value that a text stands for where a monitor compares values as texts: a number, `true`, `false`, or the text. */
export function scalarOf(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^-?\d{1,15}(?:\.\d{1,9})?$/.test(text) ? Number(text) : text;
}
