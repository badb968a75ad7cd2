import { DAY, type DaySlice } from '@vitrine/core';
import { brokenSignals, withReader, type BrokenStore, type Method } from './broken-store.js';

const WHOSE_DAYS = 'checks: days only of services that are asked for and have some, each with its own counts';
const WINDOWS = 'checks: a window counts both its ends, and a day only what lies inside';

const days = (name: string, noticedBy: string, change: (right: Method) => Method): BrokenStore => ({
  name: `checks.days ${name}`,
  noticedBy,
  breaks: withReader('checks', 'days', change),
});

/** The days of each service, changed. */
const slicing =
  (change: (slices: readonly DaySlice[]) => readonly DaySlice[]) =>
  (right: Method): Method =>
  async (...args) =>
    new Map([...(await right(...args))].map(([key, slices]: [string, readonly DaySlice[]]) => [key, change(slices)]));

export const BROKEN_DAYS: readonly BrokenStore[] = [
  days(
    'counts whole days',
    WINDOWS,
    (right) => (query, context) => right({ ...query, window: { from: query.window.from - DAY, to: query.window.to } }, context),
  ),
  days(
    'leaves the last day out',
    WINDOWS,
    slicing((slices) => slices.slice(0, -1)),
  ),
  days('answers for every service', WHOSE_DAYS, (right) => (query, context) => right({ ...query, serviceKeys: null }, context)),
  days(
    'answers for no service when all are asked for',
    WHOSE_DAYS,
    (right) => (query, context) => right({ ...query, serviceKeys: query.serviceKeys ?? [] }, context),
  ),
  days(
    'answers for one service only',
    WHOSE_DAYS,
    (right) =>
      async (...args) =>
        new Map([...(await right(...args))].slice(0, 1)),
  ),
  days(
    'names services without days',
    WHOSE_DAYS,
    (right) => async (query, context) => new Map([['acme:none', []], ...(await right(query, context))]),
  ),
  days('gives a service that is named twice its days twice', WHOSE_DAYS, (right) => async (query, context) => {
    const isTwice = query.serviceKeys !== null && new Set(query.serviceKeys).size < query.serviceKeys.length;
    return isTwice ? slicing((slices) => [...slices, ...slices])(right)(query, context) : right(query, context);
  }),
  days('gives every service the days of the first', WHOSE_DAYS, (right) => async (...args) => {
    const found: ReadonlyMap<string, readonly DaySlice[]> = await right(...args);
    const [first = []] = found.values();
    return new Map([...found.keys()].map((key) => [key, first]));
  }),
  ...brokenSignals('checks', 'days', 'checks: `signal` ends a call at once'),
];
