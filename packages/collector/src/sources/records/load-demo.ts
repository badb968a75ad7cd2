import { DAY, formatDate, formatInstant, parseDate, parseDateTime, repositoryRefOf } from '@vitrine/core';
import type { AllowlistEntry, Instant, StoredRecord } from '@vitrine/core';
import { timeInId } from '../detected/detected-incident.js';
import type { DecodeLine } from './decode-line.js';
import { fileLines } from './read-lines.js';
import { INSTANT_FIELDS } from './encode-line.js';

/** The records of a file, with all times shifted as if it had been written now. */
export interface Demo {
  /** The repositories of the file. */
  readonly approved: readonly AllowlistEntry[];
  /** In the order of the file. */
  readonly records: readonly StoredRecord[];
}

/** Fields with planned times in the future. They do not show how old the file is. */
const PLANS: ReadonlySet<string> = new Set(['targetAt', 'scheduledFor', 'scheduledUntil', 'coveredUntil']);

/** Shifts all times of a file, so that the newest one is now; counts of days by whole days. Throws an `Error` that names an invalid line, because demo data must be complete. */
export async function loadDemo(file: string, now: Instant): Promise<Demo> {
  const { decodeLine } = await import('./decode-line.js');
  const lines: Line[] = [];
  for await (const chunk of fileLines(file, new AbortController().signal)) {
    for (const { text, number } of chunk) lines.push({ place: `${file}:${String(number)}`, text });
  }
  const shift = now - lines.reduce((newest, line) => Math.max(newest, newestOf(line.text)), -Infinity);
  const records = Number.isFinite(shift) ? lines.map((line) => recordOf(decodeLine, { ...line, text: shifted(line.text, shift) }, now)) : [];
  const repositories = records.filter((record) => record.kind === 'repository');
  return { approved: repositories.map(({ fullName, owner, name }) => ({ fullName, owner, name, forgeId: null })), records };
}

interface Line {
  readonly place: string;
  readonly text: string;
}

/** The newest time of a line, without planned times. A planned maintenance has only planned times. */
function newestOf(text: string): Instant {
  let newest = -Infinity;
  if (text.includes('"maintenance"')) return newest;
  for (const [, key = '', value = ''] of text.matchAll(TIME)) if (!PLANS.has(key)) newest = Math.max(newest, instantOf(key, value) ?? newest);
  return newest;
}

function shifted(text: string, shift: number): string {
  // The counts of a day belong to a UTC date, so they can be shifted only by whole days.
  const by = text.includes('"status-day"') ? Math.floor(shift / DAY) * DAY : shift;
  return shiftedTimes(withShiftedIds(text, by), by);
}

/** The id of a detected incident ends with its start. */
function withShiftedIds(text: string, by: number): string {
  return text.replaceAll(/(?<=:)\d{8}T\d{6}Z/g, (time) => {
    const start = parseDateTime(time.replace(/(....)(..)(..)T(..)(..)/, '$1-$2-$3T$4:$5:'));
    return start === null ? time : timeInId(start + by);
  });
}

/** A field of a line of JSON that may be a time. The quotes in a text are escaped, so no part of a text looks like a field. */
const TIME = /"(\w+)":\s*"(\d{4}-[^"]*)"/g;

function instantOf(key: string, value: string): Instant | null {
  if (key === 'date') return parseDate(value);
  return INSTANT_FIELDS.has(key) ? parseDateTime(value) : null;
}

function shiftedTimes(text: string, by: number): string {
  return text.replaceAll(TIME, (field, key: string, value: string) => {
    const instant = instantOf(key, value);
    return instant === null ? field : `"${key}":"${(key === 'date' ? formatDate : formatInstant)(instant + by)}"`;
  });
}

function recordOf(decodeLine: DecodeLine, { text, place }: Line, now: Instant): StoredRecord {
  const decoded = decodeLine(text, { now, refOf: (name) => repositoryRefOf(name, null) });
  if (decoded.type === 'record') return decoded.record;
  throw new Error(`${place}: ${decoded.type === 'bad' ? decoded.problems.join('; ') : 'deletes a record; leave it out'}`);
}
