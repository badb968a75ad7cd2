import { isInstant, type Instant } from '@vitrine/core';
import { BadValue, badValue, type Codec } from './codec.js';

/** A text. UTF-8 cannot encode a lone surrogate, so it becomes U+FFFD here, visibly, and not later in the driver. */
export const text: Codec<string> = {
  schema: { bsonType: 'string' },
  encode: (value) => value.toWellFormed(),
  decode: (stored, path) => (typeof stored === 'string' ? stored : badValue(stored, path)),
};

/** A text that meets a condition. */
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

/** An integer. If the driver cannot represent a number exactly, it returns an object, which is invalid. */
export function whole(min: number, max = Number.MAX_SAFE_INTEGER): Codec<number> {
  return {
    schema: { bsonType: ['int', 'long', 'double'], minimum: min, maximum: max },
    encode: (value) => value,
    decode: (stored, path) =>
      typeof stored === 'number' && Number.isInteger(stored) && stored >= min && stored <= max ? stored : badValue(stored, path),
  };
}

/** A number within the range, integer or not. */
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

/** A value that may be `null`. It is also `null` if the stored value is missing or invalid. */
export function nullable<Value>(codec: Codec<Value>): Codec<Value | null> {
  return {
    schema: { anyOf: [codec.schema, { bsonType: 'null' }] },
    encode: (value) => (value === null ? null : codec.encode(value)),
    decode: (stored, path) => (stored === null || stored === undefined ? null : codec.decode(stored, path)),
    fallback: null,
  };
}

/** An optional field. It is absent if the stored value is missing or invalid. */
export function optional<Value>(codec: Codec<Value>): Codec<Value | undefined> {
  return {
    schema: codec.schema,
    encode: (value) => (value === undefined ? undefined : codec.encode(value)),
    decode: (stored, path) => (stored === undefined ? new BadValue(path, 'missing') : codec.decode(stored, path)),
    isOptional: true,
  };
}

/** A list. Invalid elements are left out. A value that is not a list becomes an empty list. */
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
