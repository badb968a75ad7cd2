import { isInstant, type Instant } from '@vitrine/core';
import { BadValue, badValue, type Codec } from './codec.js';

/** Text as it is stored: a lone surrogate has no bytes, so it becomes U+FFFD here and not unseen in the driver. */
export const text: Codec<string> = {
  schema: { bsonType: 'string' },
  encode: (value) => value.toWellFormed(),
  decode: (stored, path) => (typeof stored === 'string' ? stored : badValue(stored, path)),
};

/** Text that a rule holds for. */
export function textWhere<Text extends string>(isOne: (value: unknown) => value is Text, schema: Codec<Text>['schema'] = {}): Codec<Text> {
  return {
    schema: { bsonType: 'string', ...schema },
    encode: (value) => value,
    decode: (stored, path) => (isOne(stored) ? stored : badValue(stored, path)),
  };
}

/** One of a closed set of words. */
export function oneOf<Word extends string>(words: readonly Word[]): Codec<Word> {
  return textWhere((value): value is Word => words.some((word) => word === value), { enum: words });
}

export const boolean: Codec<boolean> = {
  schema: { bsonType: 'bool' },
  encode: (value) => value,
  decode: (stored, path) => (typeof stored === 'boolean' ? stored : badValue(stored, path)),
};

/** A whole number. Anything the driver cannot give exactly arrives as an object, and is refused. */
export function whole(min: number, max = Number.MAX_SAFE_INTEGER): Codec<number> {
  return {
    schema: { bsonType: ['int', 'long', 'double'], minimum: min, maximum: max },
    encode: (value) => value,
    decode: (stored, path) =>
      typeof stored === 'number' && Number.isInteger(stored) && stored >= min && stored <= max ? stored : badValue(stored, path),
  };
}

/** A number of the range, whole or not. */
export function number(min: number, max: number): Codec<number> {
  return {
    schema: { bsonType: ['int', 'long', 'double'], minimum: min, maximum: max },
    encode: (value) => value,
    decode: (stored, path) => (typeof stored === 'number' && stored >= min && stored <= max ? stored : badValue(stored, path)),
  };
}

/** A BSON date between the years 0000 and 9999. */
export const instant: Codec<Instant> = {
  schema: { bsonType: 'date' },
  encode: (value) => new Date(value),
  decode: (stored, path) => (stored instanceof Date && isInstant(stored.getTime()) ? stored.getTime() : badValue(stored, path)),
};

/** A value that may be missing: `null` then, and also when what is stored cannot be used. */
export function nullable<Value>(codec: Codec<Value>): Codec<Value | null> {
  return {
    schema: { anyOf: [codec.schema, { bsonType: 'null' }] },
    encode: (value) => (value === null ? null : codec.encode(value)),
    decode: (stored, path) => (stored === null || stored === undefined ? null : codec.decode(stored, path)),
    fallback: null,
  };
}

/** A field that is left out when there is nothing to say, and when what is stored cannot be used. */
export function optional<Value>(codec: Codec<Value>): Codec<Value | undefined> {
  return {
    schema: codec.schema,
    encode: (value) => (value === undefined ? undefined : codec.encode(value)),
    decode: (stored, path) => (stored === undefined ? new BadValue(path, 'missing') : codec.decode(stored, path)),
    isOptional: true,
  };
}

/** A list; elements that cannot be used are left out, and what is no list is an empty one. */
export function list<Value>(codec: Codec<Value>): Codec<readonly Value[]> {
  return {
    schema: { bsonType: 'array', items: codec.schema },
    encode: (values) => values.map((value) => codec.encode(value)),
    decode: (stored, path) => (Array.isArray(stored) ? decodeElements(codec, stored, path) : badValue(stored, path)),
    fallback: [],
  };
}

function decodeElements<Value>(codec: Codec<Value>, stored: readonly unknown[], path: string): Value[] {
  const values: Value[] = [];
  for (const element of stored) {
    const value = codec.decode(element, path);
    if (!(value instanceof BadValue)) values.push(value);
  }
  return values;
}
