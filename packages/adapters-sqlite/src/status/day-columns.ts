import { PackedHours, packHours, type CountedDay, type HourTally, type Instant } from '@vitrine/core';
import { storedJson } from '../records/shape.js';
import { isCountedDay } from './status-shapes.js';

/** The columns of a stored day: its fields as text, and its hours packed. If a number of the hours is too large for that, they are part of the text. */
export function dayColumns(day: CountedDay): readonly [json: string, hours: Uint8Array | null] {
  const hours = packHours(day);
  return [JSON.stringify(hours === null ? day : { ...day, hours: [] }), hours];
}

/** The day of these columns; `null` if the text is damaged. Packed hours that are damaged are left out. */
export function dayOfColumns(json: unknown, hours: unknown): CountedDay | null {
  const day = storedJson(json, isCountedDay);
  return day !== null && hours instanceof Uint8Array ? { ...day, hours: hoursOf(day, hours) } : day;
}

function hoursOf({ day, coveredUntil }: { readonly day: Instant; readonly coveredUntil: Instant }, bytes: Uint8Array): readonly HourTally[] {
  return PackedHours.of(day, coveredUntil, bytes)?.hours ?? [];
}
