/** A JSON Schema of draft 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** What is known of one member of a body: its meaning with units, its shape, and a value that it could have. */
export interface Field {
  readonly schema: JsonSchema;
  readonly example: unknown;
  /** Left out of the body when unknown. */
  readonly isOptional?: true;
}

/** A shape that the OpenAPI document lists by its name. */
export interface NamedSchema {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly example: Readonly<Record<string, unknown>>;
  /** The shapes that it refers to. */
  readonly uses: readonly NamedSchema[];
}

type Fields = Readonly<Record<string, Field>>;

export function text(description: string, example: string, more: JsonSchema = {}): Field {
  return { schema: { type: 'string', description, ...more }, example };
}

export function url(description: string, example: string): Field {
  return text(description, example, { format: 'uri' });
}

/** A moment as text. */
export function instant(description: string, example: string): Field {
  return text(description, example, { format: 'date-time', pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$' });
}

/** One of a set that is known whole. */
export function closed(description: string, values: readonly string[], example: string): Field {
  return text(description, example, { enum: values });
}

/** One of a set that may grow: clients must bear other values. */
export function open(description: string, values: readonly string[], example: string): Field {
  return text(`${description} Known values: ${values.map((value) => `\`${value}\``).join(', ')}; others may follow.`, example);
}

export function integer(description: string, example: number, more: JsonSchema = { minimum: 0 }): Field {
  return { schema: { type: 'integer', description, ...more }, example };
}

/** A percentage, 0 to 100 with at most two decimals. */
export function percent(description: string, example: number): Field {
  return { schema: { type: 'number', description, minimum: 0, maximum: 100 }, example };
}

export function flag(description: string, example: boolean): Field {
  return { schema: { type: 'boolean', description }, example };
}

/** A value that may be known to be absent. */
export function nullable(field: Field, example: unknown = field.example): Field {
  const { description, ...shape } = field.schema;
  if ('$ref' in shape) return { schema: { description, anyOf: [shape, { type: 'null' }] }, example };
  const values: unknown = shape['enum'];
  const widened = { ...shape, type: [shape['type'], 'null'], ...(Array.isArray(values) ? { enum: [...(values as unknown[]), null] } : {}) };
  return { schema: { description, ...widened }, example };
}

export function optional(field: Field): Field {
  return { ...field, isOptional: true };
}

export function list(description: string, item: Field): Field {
  return { schema: { type: 'array', description, items: item.schema }, example: [item.example] };
}

export function record(fields: Fields, description: string): Field {
  return { schema: { description, ...objectSchema(fields) }, example: exampleOf(fields) };
}

/** A member that holds a named shape. */
export function ref(named: NamedSchema, description: string): Field {
  return { schema: { $ref: `#/components/schemas/${named.name}`, description }, example: named.example };
}

export function named(name: string, description: string, fields: Fields, uses: readonly NamedSchema[] = []): NamedSchema {
  return { name, schema: { description, ...objectSchema(fields) }, example: exampleOf(fields), uses };
}

function objectSchema(fields: Fields): JsonSchema {
  const required = Object.entries(fields).flatMap(([name, field]) => (field.isOptional === true ? [] : [name]));
  return { type: 'object', required, properties: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.schema])) };
}

function exampleOf(fields: Fields): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.example]));
}
