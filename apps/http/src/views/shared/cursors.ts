import { hash } from 'node:crypto';
import { EARLIEST_INSTANT, isInstant, LATEST_INSTANT, REPOSITORY_SEARCH_TIME, SEARCH_TYPES, SERVICE_SEARCH_TIME } from '@vitrine/core';
import type { PeriodPosition, SearchPosition, TimePosition } from '@vitrine/core';
import { Refusal } from '../../serving/errors.js';

/** The list that a cursor belongs to, with its filters. A cursor is valid only for the same list and filters. */
export interface CursorScope {
  readonly endpoint: string;
  /** Normalised, so that two spellings of the same filter are equal. */
  readonly filters: unknown;
}

const VERSION = 1;
const SHAPE = /^[A-Za-z0-9_-]{20,512}$/;
const ENDPOINT_BYTES = 4;
const DIGEST_BYTES = 8;
const POSITION_AT = 1 + ENDPOINT_BYTES + DIGEST_BYTES;

/** Encodes a position as the text of a cursor. The same input always gives the same text. A cursor contains a position, never a permission. */
export function encodeCursor<Position>(codec: PositionCodec<Position>, scope: CursorScope, position: Position): string {
  const bytes = Buffer.concat([Buffer.of(VERSION), endpointTag(scope), filtersTag(scope), codec.write(position)]);
  return Buffer.concat([bytes, sha256(bytes).subarray(0, DIGEST_BYTES)]).toString('base64url');
}

/** Decodes a cursor. Throws a {@link Refusal}: CURSOR_MISMATCH if the filters differ, and INVALID_CURSOR for every other reason. */
export function decodeCursor<Position>(codec: PositionCodec<Position>, scope: CursorScope, text: string): Position {
  const bytes = whole(text);
  if (bytes === null || bytes[0] !== VERSION || !bytes.subarray(1, 1 + ENDPOINT_BYTES).equals(endpointTag(scope))) throw refused('INVALID_CURSOR');
  if (!bytes.subarray(1 + ENDPOINT_BYTES, POSITION_AT).equals(filtersTag(scope))) throw refused('CURSOR_MISMATCH');
  const position = codec.read(bytes.subarray(POSITION_AT));
  if (position === null) throw refused('INVALID_CURSOR');
  return position;
}

/** The bytes before the checksum; `null` if the text is not a cursor. Node's decoder ignores invalid characters, so the text must equal its own re-encoding. */
function whole(text: string): Buffer | null {
  if (!SHAPE.test(text)) return null;
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.toString('base64url') !== text || bytes.length < POSITION_AT + DIGEST_BYTES) return null;
  const end = bytes.length - DIGEST_BYTES;
  return sha256(bytes.subarray(0, end)).subarray(0, DIGEST_BYTES).equals(bytes.subarray(end)) ? bytes.subarray(0, end) : null;
}

const endpointTags = new Map<string, Buffer>();

function endpointTag({ endpoint }: CursorScope): Buffer {
  const tag = endpointTags.get(endpoint) ?? sha256(endpoint).subarray(0, ENDPOINT_BYTES);
  endpointTags.set(endpoint, tag);
  return tag;
}

function filtersTag(scope: CursorScope): Buffer {
  return sha256(JSON.stringify(scope.filters)).subarray(0, DIGEST_BYTES);
}

function sha256(data: string | Buffer): Buffer {
  return hash('sha256', data, 'buffer');
}

const DETAILS = {
  INVALID_CURSOR: 'must be taken unchanged from meta.nextCursor of this endpoint',
  CURSOR_MISMATCH: 'was issued for other filters; repeat those of the first request',
} as const;

function refused(code: keyof typeof DETAILS): Refusal {
  return Refusal.ofViolations([{ parameter: 'cursor', in: 'query', code, detail: DETAILS[code] }]);
}

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

function textCodec<Name extends string>(name: Name): PositionCodec<Readonly<Record<Name, string>>> {
  return {
    write: (position) => Buffer.from(position[name]),
    read: (bytes) => {
      const text = textOf(bytes);
      return text === null ? null : ({ [name]: text } as Readonly<Record<Name, string>>);
    },
  };
}

export const nameCodec = textCodec('fullName');
export const idCodec = textCodec('id');

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
