import { DAY, HOUR, MINUTE, SECOND } from '@vitrine/core';

/** What is different about a check of a name. */
export const OTHER_NAME_SERVERS = 'the name is looked up with the name servers of this machine, and its records are not compared';

/** The value of an own key; `undefined` without one. */
export function at(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
}

const GO_UNITS: Readonly<Record<string, number>> = { ns: 1e-6, us: 1e-3, µs: 1e-3, ms: 1, s: SECOND, m: MINUTE, h: HOUR };

/** Milliseconds of a duration as Go writes it, such as `1m30s`; `null` if it is not one. */
export function goDuration(text: string): number | null {
  if (!/^(?:\d{1,9}(?:\.\d{1,9})?(?:ns|us|µs|ms|s|m|h)){1,8}$/.test(text)) return null;
  const parts = text.split(/(?<=[a-zµ])(?=\d)/);
  return parts.reduce((sum, part) => sum + Number.parseFloat(part) * (GO_UNITS[part.replace(/[\d.]/g, '')] ?? 0), 0);
}

/** A duration as the configuration of Vitrine writes it, rounded up to milliseconds. */
export function durationText(milliseconds: number): string {
  const rounded = Math.ceil(milliseconds);
  const units = [
    [DAY, 'd'],
    [HOUR, 'h'],
    [MINUTE, 'm'],
    [SECOND, 's'],
  ] as const;
  const [unit, letters] = units.find(([size]) => rounded > 0 && rounded % size === 0) ?? [1, 'ms'];
  return `${String(rounded / unit)}${letters}`;
}

/** The JSON value that a text stands for where a monitor compares values as texts: a number, `true`, `false`, or the text. */
export function scalarOf(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^-?\d{1,15}(?:\.\d{1,9})?$/.test(text) ? Number(text) : text;
}
