import { DAY, HOUR, type StatusDay } from '@vitrine/core';
import { brokenSignals, withReader, type BrokenStore, type Method } from './broken-store.js';

const WHOSE_DAYS = 'checks: days only of services that are asked for and have some, each with its own counts';
const WINDOWS = 'checks: a window counts both its ends, and stored days and hours only what lies inside';
const TIMES = 'checks: time in outage and degraded ends with the next rated check of the source, of several sources the worst counts';
const SIGNAL = 'checks: `signal` ends a call at once';

const days = (name: string, noticedBy: string, change: (right: Method) => Method): BrokenStore => ({
  name: `checks.days ${name}`,
  noticedBy,
  breaks: withReader('checks', 'days', change),
});

const hours = (name: string, noticedBy: string, change: (right: Method) => Method): BrokenStore => ({
  name: `checks.hours ${name}`,
  noticedBy,
  breaks: withReader('checks', 'hours', change),
});

/** The days of each service, changed. */
const slicing =
  (change: (slices: readonly StatusDay[]) => readonly StatusDay[]) =>
  (right: Method): Method =>
  async (...args) =>
    new Map([...(await right(...args))].map(([key, slices]: [string, readonly StatusDay[]]) => [key, change(slices)]));

export const BROKEN_DAYS: readonly BrokenStore[] = [
  days(
    'begins a day earlier',
    WINDOWS,
    (right) => (query, context) => right({ ...query, window: { ...query.window, from: query.window.from - DAY } }, context),
  ),
  days(
    'leaves the last day out',
    WINDOWS,
    slicing((slices) => slices.slice(0, -1)),
  ),
  days(
    'lists the newest first',
    TIMES,
    slicing((slices) => slices.toReversed()),
  ),
  days(
    'counts time in degraded as outage',
    TIMES,
    slicing((slices) => slices.map((day) => ({ ...day, outageMs: (day.outageMs ?? 0) + (day.degradedMs ?? 0) }))),
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
    const found: ReadonlyMap<string, readonly StatusDay[]> = await right(...args);
    const [first = []] = found.values();
    return new Map([...found.keys()].map((key) => [key, first]));
  }),
  hours('begins an hour later', WINDOWS, (right) => (key, window, context) => right(key, { ...window, from: window.from + HOUR }, context)),
  hours('includes the hour at the end', TIMES, (right) => (key, window, context) => right(key, { ...window, to: window.to + HOUR }, context)),
  hours('answers for another service', WINDOWS, (right) => (key, window, context) => right(key === 'acme:none' ? 'acme:api' : key, window, context)),
  ...brokenSignals('checks', 'days', SIGNAL),
  ...brokenSignals('checks', 'hours', SIGNAL),
];
