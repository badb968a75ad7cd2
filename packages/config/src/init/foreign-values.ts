import { DAY, HOUR, MINUTE, SECOND, grouped, quotable } from '@vitrine/core';
import { at } from '../places.js';

/** What is different about a check of a name. */
export const OTHER_NAME_SERVERS = 'the name is looked up with the name servers of this machine, and its records are not compared';

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

/** `data[0].id` is `data.0.id` in Vitrine. */
export function pathInJson(path: string): string {
  return path.replace(/\[(\d+)\]/g, '.$1').replace(/^\./, '');
}

/** A value that another monitor takes from an environment variable, such as `$HOST` or `${HOST}`. */
export const REFERENCE = /\$\{?[A-Za-z_]/;
/** A text that is one. Others may have a `$` that stands for itself. */
export const TEXT_REFERENCE = /\$\{[A-Za-z_]\w{0,100}[:}]/;

/** What `init` says about settings that several monitors have. */
export const NO_NOTIFICATIONS = 'Vitrine sends no notifications';
export const OTHER_LOOK = 'the pages of Vitrine have their own look';
export const SUCCESS = '200-299';

/** Why keys cannot be carried over, by their path. That of an object is the default for the keys in it. */
export type Reasons = Readonly<Record<string, string>>;

const LONGEST_KEY = 60;
const NO_SUCH_SETTING = 'Vitrine has no such setting';

/** An object in the file of another monitor. It lists the keys whose values were not used, so nothing of the file is lost without a line that says so. */
export class ForeignObject {
  readonly #used = new Set<string>();
  readonly #children: ForeignObject[] = [];

  /** @param prefix the path of the object in the listed keys, such as `client.` */
  constructor(
    private readonly given: unknown,
    private readonly prefix = '',
  ) {}

  /** What a value says. It counts as used unless it cannot be read (`null`). */
  take<Value>(key: string, read: (value: unknown) => Value | null): Value | null {
    const found = read(at(this.given, key));
    if (found !== null) this.#used.add(key);
    return found;
  }

  /** The value of any type. */
  value(key: string): unknown {
    return this.take(key, (value) => ({ value }))?.value;
  }

  /** A text, or a number as text; `''` for every other value. */
  text(key: string): string {
    return this.take(key, textOf) ?? '';
  }

  /** The same, if it is not certain yet that it can be used. */
  peek(key: string): string {
    return textOf(at(this.given, key)) ?? '';
  }

  keys(): readonly string[] {
    return typeof this.given === 'object' && this.given !== null ? Object.keys(this.given) : [];
  }

  /** A finite number, also one that is written as text; `null` for every other value. */
  number(key: string): number | null {
    return this.take(key, numberOf);
  }

  /** Milliseconds of a duration as Go writes it; `null` for every other value. */
  duration(key: string): number | null {
    return this.take(key, (value) => goDuration(String(value)));
  }

  /** Whether the value is true. SQLite has numbers instead of true and false. */
  flag(key: string): boolean {
    return this.take(key, (value) => (typeof value === 'boolean' || value === 0 || value === 1 ? Boolean(value) : null)) === true;
  }

  /** The items of a list, or the values of an object; none for every other value. */
  items(key: string): readonly unknown[] {
    return this.take(key, (value) => (typeof value === 'object' && value !== null ? Object.values(value) : null)) ?? [];
  }

  /** The names and values of an object; none for every other value. */
  entries(key: string): readonly (readonly [name: string, value: unknown])[] {
    return Object.entries(this.take(key, objectOf) ?? {});
  }

  /** The statuses and ranges of them in a list, and a line if others are in it. */
  statuses(key: string): { readonly status: readonly (number | string)[] | null; readonly wrong: readonly string[] } {
    const all = this.items(key).map(String);
    const known = [...new Set(all.filter((status) => /^[1-5]\d\d(?:-[1-5]\d\d)?$/.test(status)))];
    const wrong = all.filter((status) => !known.includes(status)).length;
    return {
      status: known.length === 0 ? null : known.map((status) => (status.includes('-') ? status : Number(status))),
      wrong: wrong === 0 ? [] : [`not carried over: ${String(wrong)} of ${key} (not a status from 100 to 599)`],
    };
  }

  /** An object within this one. Its unused keys are listed with those of this one. */
  object(key: string): ForeignObject {
    const child = new ForeignObject(this.take(key, objectOf) ?? {}, `${this.prefix}${key}.`);
    this.#children.push(child);
    return child;
  }

  /** The objects in a list. Their unused keys are listed with those of this one. */
  objects(key: string): readonly ForeignObject[] {
    const children = this.items(key).map((item, index) => new ForeignObject(item, `${this.prefix}${key}[${String(index)}].`));
    this.#children.push(...children);
    return children;
  }

  /** Whether the key has a value that says something. */
  says(key: string): boolean {
    const found = at(this.given, key);
    if (found === undefined || found === null || found === false || found === '') return false;
    return typeof found !== 'object' || Object.keys(found).length > 0;
  }

  /** Does not list such a key: its value has no effect on Vitrine. */
  ignore(...keys: readonly string[]): void {
    for (const key of keys) this.#used.add(key);
  }

  /** Lists no key with its default, which says nothing. */
  ignoreDefaults(defaults: Readonly<Record<string, unknown>>): void {
    for (const [key, value] of Object.entries(defaults)) if (JSON.stringify(at(this.given, key)) === JSON.stringify(value)) this.#used.add(key);
  }

  /** One line for each reason: the keys that were not used, without their values, which may be secret. */
  left(reasons: Reasons): readonly string[] {
    const byReason = grouped(this.#unused(), (path) => reasonOf(path, reasons));
    return [...byReason].flatMap(([reason, paths]) =>
      inLines(paths.map((path) => quotable(path, LONGEST_KEY))).map((line) => `not carried over: ${line} (${reason})`),
    );
  }

  #unused(): readonly string[] {
    const own = this.keys().filter((key) => !this.#used.has(key) && this.says(key));
    return [...own.map((key) => this.prefix + key), ...this.#children.flatMap((child) => child.#unused())];
  }
}

function textOf(value: unknown): string | null {
  return (typeof value === 'string' && value !== '') || typeof value === 'number' ? String(value) : null;
}

function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

function objectOf(value: unknown): object | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
}

/** That of the path, or else that of the object that it is in. */
function reasonOf(path: string, reasons: Reasons): string {
  for (let part = path; part !== ''; part = part.slice(0, Math.max(0, part.lastIndexOf('.')))) {
    if (Object.hasOwn(reasons, part)) return reasons[part] ?? NO_SUCH_SETTING;
  }
  return NO_SUCH_SETTING;
}

const LONGEST_LINE = 160;

/** Lists of keys that fit into a note. */
function inLines(paths: readonly string[]): readonly string[] {
  const lines: string[] = [];
  for (const path of paths) {
    const last = lines.at(-1);
    if (last === undefined || last.length + path.length > LONGEST_LINE) lines.push(path);
    else lines[lines.length - 1] = `${last}, ${path}`;
  }
  return lines;
}
