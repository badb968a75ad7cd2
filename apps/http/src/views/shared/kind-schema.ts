import { type AnyField, type AnyFields, type DescribedRecords, FACTS, type ListedKind, type SentOf } from '@vitrine/core';
import { closed, flag, instant, integer, list, named, nullable, open, optional, percent, provenance, record, recordOf, text, url } from './schema.js';
import type { Field, Fields, JsonOf, NamedSchema } from './schema.js';

/** The names of times. They are numbers in records, and texts in JSON. */
type TimeName = `${string}At` | 'scheduledFor' | 'scheduledUntil';
type JsonValue<Name, Value> = Value extends readonly (infer Item)[]
  ? readonly JsonValue<'', Item>[]
  : Value extends object
    ? { readonly [Member in keyof Value]: JsonValue<Member, Value[Member]> }
    : Name extends TimeName
      ? Value extends number
        ? string
        : Value
      : Value;

type Renamed = { readonly articleKind: 'kind'; readonly incidentKind: 'kind' };

/** The JSON of the fields of a record that are sent. @template Left those that the view computes */
export type RecordJson<Kind extends ListedKind | 'repository', Left = never> = {
  readonly [Name in Exclude<keyof DescribedRecords[Kind] & SentOf<Kind>, Left> as Name extends keyof Renamed ? Renamed[Name] : Name]: JsonValue<
    Name,
    DescribedRecords[Kind][Name]
  >;
};
type KindJson<Kind extends ListedKind | 'repository', Computed extends Fields> = RecordJson<Kind, keyof Computed> & JsonOf<Computed>;

/** In the order of the facts. @param computed what the record does not have; members that the facts do not name stand before the last one */
export function kindSchema<Kind extends ListedKind | 'repository', Computed extends Fields>(
  kind: Kind,
  description: string,
  computed: Computed,
): NamedSchema<KindJson<Kind, Computed>> {
  const { fields, sent } = FACTS[kind];
  const added = Object.keys(computed).filter((field) => !sent.includes(field));
  const members = [...sent.slice(0, -1), ...added, ...sent.slice(-1)].map((member) => {
    const field = fields[member];
    const own: Field | undefined = computed[member];
    if (own !== undefined) return [member, own] as const;
    if (field === undefined) throw new TypeError(`The facts of ${kind} name the field ${member}, which neither the record has nor the view.`);
    return memberOf(member, field);
  });
  // Each member is a field of the record, or computed.
  return named(capital(kind), description, Object.fromEntries(members), kind === 'repository' ? undefined : recordOf) as NamedSchema<
    KindJson<Kind, Computed>
  >;
}

function memberOf(name: string, field: AnyField): readonly [string, Field] {
  return [field.called ?? name, { ...schemaOf(field), from: name, absentAs: field.absentAs }];
}

function schemaOf(field: AnyField): Field {
  const nulled = field.nullable === true ? nullable(valueSchema(field), field.example) : valueSchema(field);
  return field.optional === true && field.absentAs === undefined ? optional(nulled) : nulled;
}

function valueSchema(field: AnyField): Field {
  switch (field.type) {
    case 'text':
      return textSchema(field);
    case 'choice':
      return closed(field.means, field.values, String(field.example));
    case 'list':
      return list(field.means, schemaOf(field.item));
    case 'object':
      return field.named === 'Provenance' ? provenance : record(membersOf(field.fields), field.means);
    case 'time':
      return instant(field.means, String(field.example));
    default:
      return plainSchema(field);
  }
}

function textSchema({ form, known, means, example }: Extract<AnyField, { readonly type: 'text' }>): Field {
  if (known !== undefined) return open(means, known, String(example));
  if (form === 'url') return url(means, String(example));
  return text(means, String(example), form === 'sha' ? { pattern: '^([0-9a-f]{40}|[0-9a-f]{64})$' } : {});
}

function plainSchema({ type, means, example }: AnyField): Field {
  if (type === 'flag') return flag(means, example === true);
  if (type === 'percent') return percent(means, Number(example));
  return type === 'seconds' ? { schema: { type: 'number', description: means, minimum: 0 }, example } : integer(means, Number(example));
}

function membersOf(fields: AnyFields): Readonly<Record<string, Field>> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => memberOf(name, field)));
}

export function capital(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1);
}
