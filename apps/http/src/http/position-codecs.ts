import {
  EARLIEST_INSTANT,
  isInstant,
  LATEST_INSTANT,
  REPOSITORY_SEARCH_TIME,
  SEARCH_TYPES,
  SERVICE_SEARCH_TIME,
  type PeriodPosition,
  type NamePosition,
  type SearchPosition,
  type SourcePosition,
  type TimePosition,
} from '@vitrine/core';

/** Encodes a position as bytes and decodes it. `read` returns `null` if the bytes are not a position. */
export interface PositionCodec<Position> {
  readonly write: (position: Position) => Buffer;
  readonly read: (bytes: Buffer) => Position | null;
}

const NUMBER_BYTES = 8;

function numberBytes(value: number): Buffer {
  const bytes = Buffer.alloc(NUMBER_BYTES);
  bytes.writeDoubleBE(value);
  return bytes;
}

function numberAt(bytes: Buffer, offset: number): number | null {
  if (bytes.length < offset + NUMBER_BYTES) return null;
  const value = bytes.readDoubleBE(offset);
  return Object.is(value, -0) || !Number.isInteger(value) ? null : value;
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function textOf(bytes: Buffer): string | null {
  try {
    return bytes.length === 0 ? null : decoder.decode(bytes);
  } catch {
    return null;
  }
}

export const timeCodec: PositionCodec<TimePosition> = {
  write: ({ time, id }) => Buffer.concat([numberBytes(time), Buffer.from(id)]),
  read: (bytes) => {
    const time = numberAt(bytes, 0);
    const id = textOf(bytes.subarray(NUMBER_BYTES));
    return isInstant(time) && id !== null ? { time, id } : null;
  },
};

export const nameCodec: PositionCodec<NamePosition> = {
  write: ({ fullName }) => Buffer.from(fullName),
  read: (bytes) => {
    const fullName = textOf(bytes);
    return fullName === null ? null : { fullName };
  },
};

export const sourceCodec: PositionCodec<SourcePosition> = {
  write: ({ id }) => Buffer.from(id),
  read: (bytes) => {
    const id = textOf(bytes);
    return id === null ? null : { id };
  },
};

export const searchCodec: PositionCodec<SearchPosition> = {
  write: ({ tier, time, type, id }) => Buffer.concat([Buffer.of(tier), numberBytes(time), Buffer.from(`${type} ${id}`)]),
  read: (bytes) => {
    const tier = bytes[0];
    const time = numberAt(bytes, 1);
    const hit = typeAndId(textOf(bytes.subarray(1 + NUMBER_BYTES)));
    if ((tier !== 0 && tier !== 1) || hit === null || time === null || !isSearchTime(time)) return null;
    return { tier, time, ...hit };
  },
};

/** Types are encoded by name, because their order may change. */
function typeAndId(text: string | null): Pick<SearchPosition, 'type' | 'id'> | null {
  const space = text?.indexOf(' ') ?? -1;
  const type = SEARCH_TYPES.find((known) => known === text?.slice(0, space));
  const id = text?.slice(space + 1) ?? '';
  return space < 0 || type === undefined || id === '' ? null : { type, id };
}

function isSearchTime(time: number): boolean {
  return (time >= EARLIEST_INSTANT && time <= LATEST_INSTANT) || time === SERVICE_SEARCH_TIME || time === REPOSITORY_SEARCH_TIME;
}

export const periodCodec: PositionCodec<PeriodPosition> = {
  write: ({ now, start }) => Buffer.concat([numberBytes(now), numberBytes(start)]),
  read: (bytes) => {
    const now = numberAt(bytes, 0);
    const start = numberAt(bytes, NUMBER_BYTES);
    return bytes.length === 2 * NUMBER_BYTES && isInstant(now) && isInstant(start) ? { now, start } : null;
  },
};
