/** The shape of a value: the JSON type of each field. With `?`, it may also be `null` or missing. A field that a type gets does not compile until it has a shape. */
export type Shape<Value> = [NonNullable<Value>] extends [string]
  ? Leaf<'string', Value>
  : [NonNullable<Value>] extends [number]
    ? Leaf<'number', Value>
    : [NonNullable<Value>] extends [boolean]
      ? Leaf<'boolean', Value>
      : [NonNullable<Value>] extends [readonly (infer Item)[]]
        ? [Value] extends [NonNullable<Value>]
          ? readonly [Shape<Item>]
          : readonly [Shape<Item>, '?']
        : ObjectShape<Value>;
export type ObjectShape<Value> = { readonly [Name in keyof Value]-?: Shape<Value[Name]> };
type Leaf<Type extends string, Value> = [Value] extends [NonNullable<Value>] ? Type : `${Type}?`;

type ListShape = readonly [AnyShape] | readonly [AnyShape, '?'];
export type AnyShape = string | ListShape | { readonly [name: string]: AnyShape };
type Fits = (value: unknown) => boolean;

/** No number of a stored value is beyond the times that a `Date` knows. */
const MAX_NUMBER = 8.64e15;

const LEAVES: Readonly<Record<string, Fits>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number' && Math.abs(value) <= MAX_NUMBER,
  boolean: (value) => typeof value === 'boolean',
};

/** What JSON of a stored row says; `null` if it is damaged. */
export function storedJson<Value>(json: unknown, isIntact: (value: unknown) => value is Value): Value | null {
  try {
    const value: unknown = JSON.parse(String(json));
    return isIntact(value) ? value : null;
  } catch {
    return null;
  }
}

/** Whether a value has a shape. Damage can change the name of a field, and the rest of the program trusts the types of stored records. */
export function fitsOf<Value>(shape: Shape<Value>): (value: unknown) => value is Value {
  return fits(shape) as (value: unknown) => value is Value;
}

export function fits(shape: AnyShape): Fits {
  if (typeof shape === 'string') return leaf(shape);
  if (isList(shape)) return list(shape);
  const fields = Object.entries(shape).map(([name, field]) => [name, fits(field)] as const);
  return (value) => isObject(value) && fields.every(([name, field]) => field(value[name]));
}

function leaf(shape: string): Fits {
  const type = LEAVES[shape.replace('?', '')] ?? (() => false);
  return shape.endsWith('?') ? optional(type) : type;
}

function list([item, mark]: ListShape): Fits {
  const fitsItem = fits(item);
  const type: Fits = (value) => Array.isArray(value) && value.every((one) => fitsItem(one));
  return mark === '?' ? optional(type) : type;
}

function optional(type: Fits): Fits {
  return (value) => value === null || value === undefined || type(value);
}

function isList(shape: AnyShape): shape is ListShape {
  return Array.isArray(shape);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
