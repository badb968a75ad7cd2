import { type AnyFields, FACTS, KINDS } from '@vitrine/core';
import { kindViews } from './table.js';
import { parametersOf } from './shared/parameters.js';

/** Filters that every list may have. */
const COMMON = ['repository', 'from', 'to'];

it.each(kindViews.map(({ kind, list }) => ({ kind, list })))(
  'each filter of the list of a $kind is one that the facts of the kind name, so it is not ignored',
  ({ kind, list }) => {
    const known = [...COMMON, ...Object.keys(KINDS[kind].filters)];
    const filters = parametersOf(list.query).flatMap(({ filter }) => filter ?? []);
    expect(filters.filter((filter) => !known.includes(filter))).toEqual([]);
  },
);

/** The names of the fields, and of those of their parts. @param isTime whether of times, or of all others */
function namesIn(fields: AnyFields, isTime: boolean): readonly string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const inner = field.type === 'list' ? field.item : field;
    return inner.type === 'object' ? namesIn(inner.fields, isTime) : (inner.type === 'time') === isTime ? [name] : [];
  });
}

it.each([...kindViews.map(({ kind }) => kind), 'build', 'repository'] as const)(
  'the times of a %s, and no other fields, have names of times: the types of presenters depend on it',
  (kind) => {
    const isTimeName = (name: string) => /At$|^scheduled(?:For|Until)$/u.test(name);
    expect(namesIn(FACTS[kind].fields, true).filter((name) => !isTimeName(name))).toEqual([]);
    expect(namesIn(FACTS[kind].fields, false).filter(isTimeName)).toEqual([]);
  },
);
