import { DAY, type CheckedDay } from '@vitrine/core';
import { BROKEN_SIGNALS, withCollection, type BrokenStore, type Method } from './broken-store.js';

const SERVICES = 'a collector reads all services, by key';
const DAYS = 'a collector reads the days of each service that has raw checks, oldest first, with their outages';
const VERSIONS = 'a collector reads another version of a day when one of its checks is new, changed or gone';
const EXPIRED = 'a collector reads no day whose raw checks are gone';
const CHECKS = 'a collector reads the raw checks of one service and day';
const SIGNAL = 'a collector reads services, days and checks, and each call ends at once with its `signal`';

type Named = 'services' | 'checkedDays' | 'checksOf';

const broken = (method: Named, name: string, noticedBy: string, change: (right: Method) => Method): BrokenStore => ({
  name: `${method} ${name}`,
  noticedBy,
  breaks: withCollection(method, change),
});

/** The days of each service, changed. */
const changing =
  (change: (days: readonly CheckedDay[]) => readonly CheckedDay[]) =>
  (right: Method): Method =>
  async (...args) =>
    new Map([...(await right(...args))].map(([key, days]: [string, readonly CheckedDay[]]) => [key, change(days)]));

const version = (change: (day: CheckedDay) => string) => changing((days) => days.map((day) => ({ ...day, version: change(day) })));

export const BROKEN_CHECKED_DAYS: readonly BrokenStore[] = [
  broken(
    'services',
    'lists the last first',
    SERVICES,
    (right) =>
      async (...args) =>
        (await right(...args)).toReversed(),
  ),
  broken(
    'services',
    'leaves dependencies out',
    SERVICES,
    (right) =>
      async (...args) =>
        (await right(...args)).filter((service: { readonly dependency?: boolean }) => service.dependency !== true),
  ),
  broken(
    'checkedDays',
    'lists the newest first',
    DAYS,
    changing((days) => days.toReversed()),
  ),
  broken(
    'checkedDays',
    'leaves days without an outage out',
    DAYS,
    changing((days) => days.filter(({ outages }) => outages > 0)),
  ),
  broken(
    'checkedDays',
    'leaves today out',
    DAYS,
    changing((days) => days.slice(0, -1)),
  ),
  broken(
    'checkedDays',
    'counts no outages',
    DAYS,
    changing((days) => days.map((day) => ({ ...day, outages: 0 }))),
  ),
  broken(
    'checkedDays',
    'names services without checks',
    DAYS,
    (right) =>
      async (...args) =>
        new Map([['acme:none', []], ...(await right(...args))]),
  ),
  broken(
    'checkedDays',
    'answers for one service only',
    DAYS,
    (right) =>
      async (...args) =>
        new Map([...(await right(...args))].slice(0, 1)),
  ),
  broken(
    'checkedDays',
    'gives each day the same version',
    VERSIONS,
    version(() => '1'),
  ),
  broken(
    'checkedDays',
    'gives a version that only follows outages',
    VERSIONS,
    version(({ outages }) => String(outages)),
  ),
  broken('checkedDays', 'gives another version each time', VERSIONS, (right) => {
    let calls = 0;
    return version(() => String(calls++))(right);
  }),
  broken('checkedDays', 'lists days whose checks are gone', EXPIRED, (right) => {
    const known = new Map<string, unknown>();
    return async (...args) => {
      for (const [key, days] of await right(...args)) known.set(key, days);
      return new Map([['acme:api', [{ day: 0, outages: 0, version: '' }]], ...known]);
    };
  }),
  broken('checksOf', 'reads two days', CHECKS, (right) => async (day, context) => [
    ...(await right(day, context)),
    ...(await right({ ...day, day: day.day + DAY }, context)),
  ]),
  broken(
    'checksOf',
    'reads one source only',
    CHECKS,
    (right) =>
      async (...args) =>
        (await right(...args)).filter(({ provenance }: { readonly provenance: { readonly source: string } }) => provenance.source === 'a'),
  ),
  broken('checksOf', 'reads any service', CHECKS, (right) => async (day, context) => [
    ...(await right(day, context)),
    ...(await right({ ...day, serviceKey: 'acme:docs' }, context)),
  ]),
  ...(['services', 'checkedDays', 'checksOf'] as const).flatMap((method) =>
    Object.entries(BROKEN_SIGNALS).map(([how, change]) => broken(method, how, SIGNAL, change)),
  ),
];
