import { KINDS } from '@vitrine/core';
import { kindViews } from './kinds.js';
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
