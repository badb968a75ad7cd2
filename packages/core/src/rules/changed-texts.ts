import type { AnyField, AnyFields, TextForm } from '../kinds/fields.js';

/** Returns the changed value, the same value if nothing changes, or a {@link Refused}. */
export type TextChange<Context> = (text: string, context: Context) => string | null | Refused;
type Change<Context> = (value: unknown, context: Context) => unknown;

/** The value cannot be changed so that the record may stay. A class and not a text, because a field may contain any text. */
export class Refused {
  constructor(readonly reason: string) {}
}

/**
 * A function that changes texts anywhere in a record with these fields. It returns a copy, or the same object if nothing changes.
 *
 * @param changeOf the change of texts of a form; `null` for none
 */
export function changedTexts<Context>(fields: AnyFields, changeOf: (form: TextForm) => TextChange<Context> | null): Change<Context> {
  const changes = Object.entries(fields).flatMap(([name, field]) => {
    const change = fieldChange(field, changeOf);
    return change === null ? [] : [{ name, change }];
  });
  return (value, context) => {
    if (typeof value !== 'object' || value === null) return value;
    const source = value as Readonly<Record<string, unknown>>;
    let changed: Record<string, unknown> | null = null;
    for (const { name, change } of changes) {
      const now = change(source[name], context);
      if (now instanceof Refused) return now;
      if (now !== source[name]) (changed ??= { ...source })[name] = now;
    }
    return changed ?? value;
  };
}

function fieldChange<Context>(field: AnyField, changeOf: (form: TextForm) => TextChange<Context> | null): Change<Context> | null {
  switch (field.type) {
    case 'text': {
      const change = changeOf(field.form);
      return change === null ? null : (value, context) => (typeof value === 'string' ? change(value, context) : value);
    }
    case 'list': {
      const change = fieldChange(field.item, changeOf);
      return change === null ? null : listChange(change);
    }
    case 'object':
      return changedTexts(field.fields, changeOf);
    default:
      return null;
  }
}

function listChange<Context>(change: Change<Context>): Change<Context> {
  return (list, context) => {
    if (!Array.isArray(list)) return list;
    const values: readonly unknown[] = list;
    let changed: unknown[] | null = null;
    for (const [index, value] of values.entries()) {
      const now = change(value, context);
      if (now instanceof Refused) return now;
      if (now !== value) (changed ??= [...values])[index] = now;
    }
    return changed ?? values;
  };
}
