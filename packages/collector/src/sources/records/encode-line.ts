import { type AnyField, type AnyFields, byKind, formatDate, formatInstant, nameOfRef, NO_REPOSITORY, type StoredRecord } from '@vitrine/core';

/** One line of a records file, without the line end. @param vouchedBy the source that says so; `null` for none */
export function encodeLine(record: StoredRecord, vouchedBy: string | null = null): string {
  const line = vouchedBy === null ? written(record) : { ...written(record), vouchedBy };
  return JSON.stringify(line, (key, value: unknown) => (typeof value === 'number' && INSTANT_FIELDS.has(key) ? formatInstant(value) : value));
}

/** The record with the fields of the file format: a repository by name, and a day as a date. */
function written(record: StoredRecord): object {
  switch (record.kind) {
    case 'repository': {
      const { kind, fullName, repositoryRef, owner: _owner, name: _name, ...fields } = record;
      return { kind, fullName, repositoryRef, ...fields };
    }
    case 'status-day': {
      const { kind, serviceKey, day, counts, changedAt: _changedAt, claims: _claims, hours: _hours, ...fields } = record;
      return { kind, serviceKey, date: formatDate(day), checks: counts, ...fields };
    }
    case 'news':
    case 'service':
    case 'check':
    case 'incident':
      return record;
    default: {
      const { kind, repositoryRef, ...fields } = record;
      if (repositoryRef === NO_REPOSITORY) return { kind, repository: null, ...fields };
      return { kind, repository: nameOfRef(repositoryRef), repositoryRef, ...fields };
    }
  }
}

/** All fields, of any record or part of a record, that contain a time. The counts of a day have three of their own. */
export const INSTANT_FIELDS: ReadonlySet<string> = new Set([
  ...Object.values(byKind(({ fields }) => timesOf(fields))).flat(),
  'coveredUntil',
  'firstCheckedAt',
  'lastCheckedAt',
]);

function timesOf(fields: AnyFields): readonly string[] {
  return Object.entries(fields).flatMap(([name, field]) => (field.type === 'time' ? [name] : partTimes(field)));
}

function partTimes(field: AnyField): readonly string[] {
  if (field.type === 'list') return partTimes(field.item);
  return field.type === 'object' ? timesOf(field.fields) : [];
}
