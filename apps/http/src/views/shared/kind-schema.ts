import { type AnyField, type AnyFields, type DescribedRecords, FACTS } from '@vitrine/core';
import {
  closed,
  type Field,
  flag,
  instant,
  integer,
  list,
  named,
  type NamedSchema,
  nullable,
  open,
  optional,
  percent,
  provenance,
  record,
  text,
  url,
} from './schema.js';

/**
 * The schema of what is sent of a kind, in the order of its facts.
 *
 * @param computed the fields that the record does not have; those that the facts do not name, such as addresses, stand before the last one
 */
export function kindSchema(
  kind: keyof DescribedRecords,
  description: string,
  computed: Readonly<Record<string, Field>>,
  uses: readonly NamedSchema[],
): NamedSchema {
  const { fields, sent } = FACTS[kind];
  const added = Object.keys(computed).filter((field) => !sent.includes(field));
  const members = [...sent.slice(0, -1), ...added, ...sent.slice(-1)].map((member) => {
    const field = fields[member];
    const own = computed[member];
    if (own !== undefined) return [member, own] as const;
    if (field === undefined) throw new TypeError(`The facts of ${kind} name the field ${member}, which neither the record has nor the view.`);
    return memberOf(member, field);
  });
  return named(capital(kind), description, Object.fromEntries(members), uses);
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
