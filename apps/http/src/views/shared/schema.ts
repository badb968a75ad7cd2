import { formatDate, formatInstant, type Instant, remembered, type SearchType } from '@vitrine/core';
import { PageLinks, type SiteCopy } from '@vitrine/pages';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** Reads a value of an item. As the type of a method, it takes functions that name the type of their items. */
type Reader<Value = unknown> = { read(item: object, links: Links): Value }['read'];

/** What is known of one member of a body: its meaning with units, its shape, a value that it could have, and how a value is written. */
export interface Field<Json = unknown> {
  /** The type of its JSON. At run time the mark does not exist. */
  readonly jsonMark?: Json;
  readonly schema: JsonSchema;
  readonly example: unknown;
  readonly isOptional?: true;
  /** The name of the member of the record whose value it shows, or a function that finds the value. Default: the member of the same name. */
  readonly from?: string | Reader;
  readonly absentAs?: unknown;
  readonly uses?: readonly NamedSchema[] | undefined;
  readonly write?: ((value: unknown, links: Links) => unknown) | undefined;
}

/** A shape that the OpenAPI document lists by its name. */
export interface NamedSchema<Json extends object = object> {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly example: Readonly<Record<string, unknown>>;
  readonly uses: readonly NamedSchema[];
  /** Writes the members of the shape, in their order. Nothing else of a record can be sent. */
  readonly write: (record: object, links: Links) => Json;
}

export type Fields = Readonly<Record<string, Field>>;
type ValueOf<Kept> = Kept extends Field<infer Json> ? Json : never;
type OptionalIn<Members extends Fields> = { [Name in keyof Members]: undefined extends ValueOf<Members[Name]> ? Name : never }[keyof Members];

export type JsonOf<Members extends Fields> = { readonly [Name in Exclude<keyof Members, OptionalIn<Members>>]: ValueOf<Members[Name]> } & {
  readonly [Name in OptionalIn<Members>]?: ValueOf<Members[Name]>;
};

export function text(description: string, example: string, more: JsonSchema = {}): Field<string> {
  return { schema: { type: 'string', description, ...more }, example };
}

export function url(description: string, example: string): Field<string> {
  return text(description, example, { format: 'uri' });
}

export function instant(description: string, example: string): Field<string> {
  const shape = { format: 'date-time', pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$' };
  return { ...text(description, example, shape), write: (value) => presentInstant(value as Instant) };
}

export function date(description: string, example: string): Field<string> {
  return { ...text(description, example, { format: 'date' }), write: (value) => formatDate(value as Instant) };
}

/** One of a set that is known whole. */
export function closed<const Value extends string>(description: string, values: readonly Value[], example: string): Field<Value> {
  const { schema, example: shown } = text(description, example, { enum: values });
  return { schema, example: shown };
}

/** One of a set that may grow: clients must bear other values. */
export function open(description: string, values: readonly string[], example: string): Field<string> {
  return text(`${description} Known values: ${values.map((value) => `\`${value}\``).join(', ')}; others may follow.`, example);
}

export function integer(description: string, example: number, more: JsonSchema = { minimum: 0 }): Field<number> {
  return { schema: { type: 'integer', description, ...more }, example };
}

/** A percentage, 0 to 100 with at most two decimals. */
export function percent(description: string, example: number): Field<number> {
  return { schema: { type: 'number', description, minimum: 0, maximum: 100 }, example };
}

export function flag(description: string, example: boolean): Field<boolean> {
  return { schema: { type: 'boolean', description }, example };
}

export function nullable<Json>(field: Field<Json>, example: unknown = field.example): Field<Json | null> {
  const { description, ...shape } = field.schema;
  if ('$ref' in shape) return { ...field, schema: { description, anyOf: [shape, { type: 'null' }] }, example };
  const values: unknown = shape['enum'];
  const widened = { ...shape, type: [shape['type'], 'null'], ...(Array.isArray(values) ? { enum: [...(values as unknown[]), null] } : {}) };
  return { ...field, schema: { description, ...widened }, example };
}

export function optional<Json>(field: Field<Json>): Field<Json | undefined> {
  return { ...field, isOptional: true };
}

/** A member that shows another one of the record, or what is computed from it. */
export function from<Json>(source: string | Reader, field: Field<Json>): Field<Json> {
  return { ...field, from: source };
}

export function list<Json>(description: string, item: Field<Json>): Field<readonly Json[]> {
  const { write, uses } = item;
  return {
    schema: { type: 'array', description, items: item.schema },
    example: [item.example],
    uses,
    write: write && ((values, links) => (values as readonly unknown[]).map((value) => write(value, links))),
  };
}

export function record<Members extends Fields>(fields: Members, description: string): Field<JsonOf<Members>> {
  const write = writerOf(fields);
  const { schema, example, uses } = partsOf(fields, description);
  return { schema, example, uses, write: (value, links) => write(value as object, links) };
}

export function ref<Json extends object>(shape: NamedSchema<Json>, description?: string): Field<Json> {
  const { name, example, write } = shape;
  const schema = { $ref: `#/components/schemas/${name}`, ...(description !== undefined && { description }) };
  return { schema, example, uses: [shape], write: (value, links) => write(value as object, links) };
}

/** Records of kinds that can have a repository are read beside it. */
export function recordOf(item: object): object {
  return 'record' in item ? (item.record as object) : item;
}

/** @param own the record of an item, if it has one beside something else */
export function named<Members extends Fields>(
  name: string,
  description: string,
  fields: Members,
  own?: (item: object) => object,
): NamedSchema<JsonOf<Members>> {
  return { name, ...partsOf(fields, description), write: writerOf(fields, own) };
}

function writerOf<Members extends Fields>(fields: Members, own = (item: object): object => item): NamedSchema<JsonOf<Members>>['write'] {
  const members = Object.entries(fields).map(([name, { from: source = name, absentAs, write }]) => ({ name, source, absentAs, write }));
  return (item, links) => {
    const record = own(item);
    const body: Record<string, unknown> = {};
    for (const { name, source, absentAs, write } of members) {
      const found: unknown = typeof source === 'string' ? Reflect.get(record, source) : source(item, links);
      const value = found === undefined ? absentAs : found;
      if (value !== undefined) body[name] = value === null || write === undefined ? value : write(value, links);
    }
    return body as JsonOf<Members>;
  };
}

function partsOf(fields: Fields, description: string): Pick<NamedSchema, 'schema' | 'example' | 'uses'> {
  const members = Object.entries(fields);
  const required = members.flatMap(([name, { isOptional }]) => (isOptional === true ? [] : [name]));
  const properties = Object.fromEntries(members.map(([name, { schema }]) => [name, schema]));
  return {
    schema: { description, type: 'object', required, properties },
    example: Object.fromEntries(members.map(([name, { example }]) => [name, example])),
    uses: [...new Set(members.flatMap(([, { uses = [] }]) => uses))],
  };
}

const CONFIDENCES = ['high', 'medium', 'low', 'unknown'] as const;
const SOURCE_KINDS = ['official-source', 'confirmed-from-source', 'community-feed', 'service-interpretation'] as const;

const PAGE = url('Address of its page for people; left out if there are no pages.', 'https://status.acme.example/news/nws_4d1x8c');

/** The members that say where a record is found: as JSON, and where people read about it. @param of the type and the public id of an item */
export function addressMembers(example: string, of: Reader<readonly [SearchType, string]>, meaning = 'Path of the record itself.') {
  return {
    pageUrl: from((item, links) => links.page(...of(item, links)) ?? undefined, optional(PAGE)),
    href: from((item, links) => links.record(...of(item, links)), text(meaning, example, { format: 'uri-reference' })),
  };
}

export const provenanceSchema = named('Provenance', 'Where a record comes from, and how far it may be trusted.', {
  source: text('Label of the origin of the record.', 'GitHub'),
  sourceKind: open('What kind of origin it is; `service-interpretation` is a record derived by the service itself.', SOURCE_KINDS, 'official-source'),
  sourceUrl: url('Public URL of the origin.', 'https://github.com/acme/widget'),
  observedAt: instant('When the origin was observed.', '2026-11-20T13:58:02.114Z'),
  publishedAt: optional(instant('When the origin published it; left out when unknown.', '2026-11-20T13:41:52.000Z')),
  confidence: open('How far the record may be trusted.', CONFIDENCES, 'high'),
  isOfficialSource: flag('Whether the origin is official.', true),
});

export const provenance = ref(provenanceSchema, 'Where the record comes from.');

/** The provenance of what Vitrine itself concludes. @param path where it says so */
export function ownProvenance(path: string, description?: string) {
  const origin = { source: 'vitrine', sourceKind: 'service-interpretation', confidence: 'high', isOfficialSource: false } as const;
  const written = ref(provenanceSchema, description ?? 'Where the record comes from.');
  return from(({ observedAt }: { readonly observedAt: Instant }, { publicUrl }) => ({ ...origin, sourceUrl: publicUrl + path, observedAt }), written);
}

/** Where records are found. Every path begins with the base path of the API. */
export interface Links {
  /** The public address, with the base path and without a slash at its end. */
  readonly publicUrl: string;
  /** The path of a record. @param id its public id: `owner/name@sha` of a commit, the full name of a repository, the key of a service */
  readonly record: (type: SearchType, id: string) => string;
  /** The absolute address of its page for people; `null` if there are no pages. A copy of the site includes the record, as {@link record} does. */
  readonly page: (type: SearchType, id: string) => string | null;
  readonly hub: (owner: string, name: string) => string;
  /** The path of a list with the records of one repository; `null` in a copy of the site, which has no filtered lists. */
  readonly list: (path: string, fullName: string) => string | null;
}

export type PagesAt = { readonly publicUrl: string; readonly hasPages: boolean; readonly copy: SiteCopy | null };

export function pageAddresses({ publicUrl, hasPages, copy }: PagesAt): Links['page'] {
  const paths = new PageLinks('', copy);
  return (type, id) => {
    const path = hasPages ? paths.record(type, id) : undefined;
    return path === undefined ? null : publicUrl + path;
  };
}

/** Fills in the parameters of a route, each as one percent-encoded segment. @param prefix the prefix of each path */
export function pathsOf({ path }: { readonly path: string }, prefix = ''): (...values: readonly string[]) => string {
  const [first = '', ...others] = path.split(/\{\w+\}/);
  return (...values) => {
    let text = prefix + first;
    for (let index = 0; index < others.length; index++) text += encoded(values[index] ?? '') + (others[index] ?? '');
    return text;
  };
}

const PLAIN = /^[\w.-]*$/;

/** Most names have nothing to encode, and to see that takes a third of the time. */
function encoded(text: string): string {
  return PLAIN.test(text) ? text : encodeURIComponent(text);
}

/** A moment as it stands on the wire: `YYYY-MM-DDTHH:mm:ss.sssZ`. The same few thousand are shown again and again, and the platform takes long to write one. */
const presentInstant = remembered(20_000, formatInstant);
