import type { UnpublishableReason } from '@vitrine/core';

/** A JSON Schema in MongoDB's dialect: `bsonType` instead of `type`. */
export type BsonSchema = Readonly<Record<string, unknown>>;

/** Why a stored value cannot be used. */
export class BadValue {
  /** @param path dot path of the stored field; empty for the whole document */
  constructor(
    readonly path: string,
    readonly reason: 'missing' | 'wrong' | 'not UTF-8' | UnpublishableReason,
  ) {}

  /** The same reason, with the path of an enclosing object in front. */
  in(path: string): BadValue {
    return path === '' ? this : new BadValue(`${path}.${this.path}`, this.reason);
  }

  toString(): string {
    return this.path === '' ? this.reason : `${this.path}: ${this.reason}`;
  }
}

/** Encodes, decodes and describes one kind of stored value. Decoding never throws and never guesses. */
export interface Codec<Value> {
  readonly schema: BsonSchema;
  encode(value: Value): unknown;
  /** @param path the path of the value in its object */
  decode(stored: unknown, path: string): Value | BadValue;
  /** Replaces an invalid value. If a codec has no fallback, an invalid value makes the whole document invalid. */
  readonly fallback?: Value;
  /** Whether the field may be absent. */
  readonly isOptional?: boolean;
}

type Decoded<C> = C extends Codec<infer Value> ? Value : never;

/** A codec of any type. */
interface AnyCodec {
  readonly schema: BsonSchema;
  encode(value: unknown): unknown;
  decode(stored: unknown, path: string): unknown;
  readonly fallback?: unknown;
  readonly isOptional?: boolean;
}

type Fields = Readonly<Record<string, AnyCodec>>;
type OptionalNames<F extends Fields> = { [Name in keyof F]: undefined extends Decoded<F[Name]> ? Name : never }[keyof F];
type Decoding<F extends Fields> = { readonly [Name in Exclude<keyof F, OptionalNames<F>>]: Decoded<F[Name]> } & {
  readonly [Name in OptionalNames<F>]?: Exclude<Decoded<F[Name]>, undefined>;
};
/** The decoded type of an object with these fields. */
type ObjectOf<F extends Fields> = { readonly [Name in keyof Decoding<F>]: Decoding<F>[Name] };

/** An object with the given fields in this order. Unknown fields are ignored. */
export function object<F extends Fields>(fields: F): Codec<ObjectOf<F>> {
  const entries = Object.entries(fields);
  const required = entries.filter(([, codec]) => codec.isOptional !== true).map(([name]) => name);
  return {
    schema: { bsonType: 'object', required, properties: Object.fromEntries(entries.map(([name, codec]) => [name, codec.schema])) },
    encode: (value) => encodeFields(entries, value),
    decode: (stored, path) => (isPlainObject(stored) ? (decodeFields(entries, stored, path) as ObjectOf<F> | BadValue) : badValue(stored, path)),
  };
}

function encodeFields(entries: readonly (readonly [string, AnyCodec])[], value: object): Record<string, unknown> {
  const source = value as Readonly<Record<string, unknown>>;
  const encoded: Record<string, unknown> = {};
  for (const [name, codec] of entries) if (source[name] !== undefined) encoded[name] = codec.encode(source[name]);
  return encoded;
}

function decodeFields(
  entries: readonly (readonly [string, AnyCodec])[],
  stored: Readonly<Record<string, unknown>>,
  path: string,
): Record<string, unknown> | BadValue {
  const decoded: Record<string, unknown> = {};
  for (const [name, codec] of entries) {
    const value = codec.decode(stored[name], name);
    if (!(value instanceof BadValue)) decoded[name] = value;
    else if (codec.isOptional === true) continue;
    else if (codec.fallback === undefined) return value.in(path);
    else decoded[name] = codec.fallback;
  }
  return decoded;
}

export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.getPrototypeOf(value) === Object.prototype;
}

export function badValue(stored: unknown, path: string): BadValue {
  return new BadValue(path, stored === undefined ? 'missing' : 'wrong');
}
