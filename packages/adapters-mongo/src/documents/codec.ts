import { isInstant, isPublicId, isRepositoryRef, isSha, NO_REPOSITORY } from '@vitrine/core';
import type { AnyField, AnyFields, Instant, RepositoryRef, ScopeRef, TextForm, UnpublishableReason } from '@vitrine/core';

/** A JSON Schema in MongoDB's dialect: `bsonType` instead of `type`. */
export type BsonSchema = Readonly<Record<string, unknown>>;

export type StoredDocument = Readonly<Record<string, unknown>> & { readonly _id: string };

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
  /** Replaces an invalid value. Without it, an invalid value makes the whole document invalid. */
  readonly fallback?: Value;
  /** Whether the field may be absent. */
  readonly isOptional?: boolean;
}

type Decoded<C> = C extends Codec<infer Value> ? Value : never;
type AnyCodec = Codec<unknown>;

type Fields = Readonly<Record<string, AnyCodec>>;
type OptionalNames<F extends Fields> = { [Name in keyof F]: undefined extends Decoded<F[Name]> ? Name : never }[keyof F];
type Decoding<F extends Fields> = { readonly [Name in Exclude<keyof F, OptionalNames<F>>]: Decoded<F[Name]> } & {
  readonly [Name in OptionalNames<F>]?: Exclude<Decoded<F[Name]>, undefined>;
};
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

type FieldEntries = readonly (readonly [name: string, codec: AnyCodec])[];

function encodeFields(entries: FieldEntries, value: object): Record<string, unknown> {
  const source = value as Readonly<Record<string, unknown>>;
  const encoded: Record<string, unknown> = {};
  for (const [name, codec] of entries) if (source[name] !== undefined) encoded[name] = codec.encode(source[name]);
  return encoded;
}

function decodeFields(entries: FieldEntries, stored: Readonly<Record<string, unknown>>, path: string): Record<string, unknown> | BadValue {
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

const DAMAGED: object = {};

/** A found document with damaged bytes, such as invalid UTF-8. Only the fields of its position can be read: to decode it gives a {@link BadValue}. */
export function damagedDocument(fields: object): Readonly<Record<string, unknown>> {
  return Object.assign(Object.create(DAMAGED) as object, fields) as Readonly<Record<string, unknown>>;
}

export function badValue(stored: unknown, path: string): BadValue {
  if (stored === undefined) return new BadValue(path, 'missing');
  return new BadValue(path, stored !== null && Object.getPrototypeOf(stored) === DAMAGED ? 'not UTF-8' : 'wrong');
}

/** A text. UTF-8 cannot encode a lone surrogate, so it becomes U+FFFD here, visibly, and not later in the driver. */
export const text: Codec<string> = {
  schema: { bsonType: 'string' },
  encode: (value) => value.toWellFormed(),
  decode: (stored, path) => (typeof stored === 'string' ? stored : badValue(stored, path)),
};

/** A value that is stored as it is, and that meets a condition. */
function plain<Value>(isOne: (value: unknown) => value is Value, schema: BsonSchema): Codec<Value> {
  return { schema, encode: (value) => value, decode: (stored, path) => (isOne(stored) ? stored : badValue(stored, path)) };
}

function textWhere<Text extends string>(isOne: (value: string) => boolean, schema: BsonSchema): Codec<Text> {
  return plain((value): value is Text => typeof value === 'string' && isOne(value), { bsonType: 'string', ...schema });
}

export function oneOf<Word extends string>(words: readonly Word[]): Codec<Word> {
  return textWhere((value) => words.some((word) => word === value), { enum: words });
}

/** A number within the range, integer or not. If the driver cannot represent a number exactly, it returns an object, which is invalid. */
function number(min: number, max: number, isOne = (_value: number): boolean => true): Codec<number> {
  const isNumber = (value: unknown): value is number => typeof value === 'number' && value >= min && value <= max && isOne(value);
  return plain(isNumber, { bsonType: ['int', 'long', 'double'], minimum: min, maximum: max });
}

export function whole(min: number, max = Number.MAX_SAFE_INTEGER): Codec<number> {
  return number(min, max, Number.isInteger);
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
  return { ...listOf(codec, (values) => values.filter((value): value is Value => !isBad(value))), fallback: [] };
}

/** A list in which every element counts: if one is invalid, the list is invalid. */
export function everyOne<Value>(codec: Codec<Value>): Codec<readonly Value[]> {
  return listOf(codec, (values) => values.find(isBad) ?? (values as readonly Value[]));
}

function listOf<Value>(codec: Codec<Value>, valid: (decoded: readonly (Value | BadValue)[]) => readonly Value[] | BadValue): Codec<readonly Value[]> {
  return {
    schema: { bsonType: 'array', items: codec.schema },
    encode: (values) => values.map((value) => codec.encode(value)),
    decode: (stored, path) => (Array.isArray(stored) ? valid(stored.map((element) => codec.decode(element, path))) : badValue(stored, path)),
  };
}

function isBad(value: unknown): value is BadValue {
  return value instanceof BadValue;
}

const REF_PATTERN = '[a-z0-9._-]{1,100}/[a-z0-9._-]{1,100}(#[A-Za-z0-9_.:=-]{1,64})?';

/** Never guessed: a record with a missing or malformed ref is invalid. */
export const repositoryRef: Codec<RepositoryRef> = textWhere(isRepositoryRef, { pattern: `^${REF_PATTERN}$` });

const scopeRef: Codec<ScopeRef> = textWhere((value) => value === NO_REPOSITORY || isRepositoryRef(value), {
  pattern: `^(${NO_REPOSITORY}|${REF_PATTERN})$`,
});

const SERVICE_KEY = /^[A-Za-z0-9_.:-]{1,64}$/;
export const serviceKey: Codec<string> = textWhere((key) => SERVICE_KEY.test(key), { pattern: SERVICE_KEY.source });

const STRICT_FORMS: { readonly [Form in TextForm]?: Codec<string> } = {
  id: textWhere(isPublicId, { pattern: '^[!-~]{1,200}$' }),
  sha: textWhere(isSha, { pattern: '^([0-9a-f]{40}|[0-9a-f]{64})$' }),
  key: serviceKey,
};

/** The stored form of a field of a kind. Of the limits for records files, only those of identities are checked when a document is read. */
export function codecOf(field: AnyField): Codec<unknown> {
  const codec = valueCodec(field) as Codec<unknown>;
  const nulled = field.nullable === true ? nullable(codec) : codec;
  return field.optional === true ? optional(nulled) : nulled;
}

export function codecOfFields(fields: AnyFields): Codec<object> {
  return object(Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, codecOf(field)])));
}

function valueCodec(field: AnyField) {
  switch (field.type) {
    case 'text':
      return STRICT_FORMS[field.form] ?? text;
    case 'choice':
      return oneOf(field.values);
    case 'repository':
      return field.always ? repositoryRef : scopeRef;
    case 'list':
      return list(codecOf(field.item));
    case 'object':
      return codecOfFields(field.fields);
    default:
      return PLAIN[field.type];
  }
}

const PLAIN = {
  whole: whole(0),
  seconds: number(0, Number.MAX_SAFE_INTEGER),
  percent: number(0, 100),
  time: instant,
  flag: plain((value) => typeof value === 'boolean', { bsonType: 'bool' }),
} as const;
