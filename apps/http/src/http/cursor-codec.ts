import { hash } from 'node:crypto';
import type { PositionCodec } from './position-codecs.js';
import { Refusal } from './refusal.js';

/** The list that a cursor belongs to, with its filters. A cursor is valid only for the same list and filters. */
export interface CursorScope {
  /** A stable name of the endpoint. */
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
  if (bytes === null || bytes[0] !== VERSION || !bytes.subarray(1, 1 + ENDPOINT_BYTES).equals(endpointTag(scope))) throw invalidCursor();
  if (!bytes.subarray(1 + ENDPOINT_BYTES, POSITION_AT).equals(filtersTag(scope))) throw cursorMismatch();
  const position = codec.read(bytes.subarray(POSITION_AT));
  if (position === null) throw invalidCursor();
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

const CURSOR_DETAIL = 'must be taken unchanged from meta.nextCursor of this endpoint';

function invalidCursor(): Refusal {
  return Refusal.ofViolations([{ parameter: 'cursor', in: 'query', code: 'INVALID_CURSOR', detail: CURSOR_DETAIL }]);
}

function cursorMismatch(): Refusal {
  return Refusal.ofViolations([
    { parameter: 'cursor', in: 'query', code: 'CURSOR_MISMATCH', detail: 'was issued for other filters; repeat those of the first request' },
  ]);
}
