import { HOUR, type Instant } from '../../domain/shared/instant.js';
import type { Tally, TallyWindow } from '../../domain/status/day-tally.js';
import { BYTES_PER_BUCKET } from '../../domain/status/latency.js';
import type { CountedDay, HourTally } from './counted-day.js';
import { coveredFor, packTally, TALLY_HEADER, TallySum, viewOf } from './packed-tally.js';

/** The first byte is the number of the layout. */
const LAYOUT = 1;
/** Before each packed tally: the hour in one byte, and the number of its buckets in two, little-endian. */
const HOUR_HEADER = 3;
const HOURS = 24;

/**
 * Packs the hours of a day into one or two kilobytes, so that a store reads them without parsing a text. `null` if a number does not fit: see `packDay`.
 * Then store the hours themselves.
 */
export function packHours({ day, hours }: Pick<CountedDay, 'day' | 'hours'>): Uint8Array | null {
  const parts: Uint8Array[] = [Uint8Array.of(LAYOUT)];
  for (const { hour, ...tally } of hours) {
    const packed = packTally({ from: day + hour * HOUR, ...tally });
    const buckets = tally.latency.buckets.length;
    if (packed === null) return null;
    parts.push(Uint8Array.of(hour, buckets & 0xff, buckets >> 8), packed);
  }
  return joined(parts);
}

/** The packed hours of a day. Only the hours that are asked for are decoded. */
export class PackedHours {
  /** The end of the longest validity of all checks of the day and of all days before. */
  readonly coveredUntil: Instant;
  readonly #day: Instant;
  readonly #view: DataView;
  /** The indexes of the hours, in time order. */
  readonly #starts: readonly number[];

  private constructor(day: Instant, coveredUntil: Instant, view: DataView, starts: readonly number[]) {
    this.coveredUntil = coveredUntil;
    this.#day = day;
    this.#view = view;
    this.#starts = starts;
  }

  /** `null` if the bytes cannot be the result of {@link packHours}. */
  static of(day: Instant, coveredUntil: Instant, bytes: Uint8Array): PackedHours | null {
    const view = viewOf(bytes);
    const starts: number[] = [];
    let at = 1;
    for (let before = -1; at + HOUR_HEADER <= bytes.byteLength; at = endOf(view, at)) {
      const hour = view.getUint8(at);
      if (hour <= before || hour >= HOURS) return null;
      before = hour;
      starts.push(at);
    }
    return bytes[0] === LAYOUT && at === bytes.byteLength ? new PackedHours(day, coveredUntil, view, starts) : null;
  }

  /** The tally of whole hours of the day. */
  tallyOf(hours: TallyWindow): Tally {
    const { from, to } = hours;
    const sum = new TallySum(hours);
    for (const at of this.#starts) {
      const start = this.#startOf(at);
      if (start >= from && start < to) sum.addPacked(this.#view, at + HOUR_HEADER, endOf(this.#view, at));
    }
    return sum.tally();
  }

  /** The end of the longest validity of all checks before an hour of the day; `null` if no earlier hour of the day has checks or coverage. */
  coveredBefore(hour: Instant): Instant | null {
    const at = this.#starts.findLast((start) => this.#startOf(start) < hour);
    return at === undefined ? null : this.#coveredUntilOf(at);
  }

  /** All hours, decoded. */
  get hours(): readonly HourTally[] {
    return this.#starts.map((at) => {
      const start = this.#startOf(at);
      const tally = this.tallyOf({ from: start, to: start + HOUR });
      return { hour: this.#view.getUint8(at), ...tally, coveredUntil: this.#coveredUntilOf(at) };
    });
  }

  #startOf(at: number): Instant {
    return this.#day + this.#view.getUint8(at) * HOUR;
  }

  #coveredUntilOf(at: number): Instant {
    return this.#startOf(at) + coveredFor(this.#view, at + HOUR_HEADER);
  }
}

/** Where the hour that starts at an index ends. */
function endOf(view: DataView, at: number): number {
  return at + HOUR_HEADER + TALLY_HEADER + view.getUint16(at + 1, true) * BYTES_PER_BUCKET;
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.byteLength;
  }
  return bytes;
}
