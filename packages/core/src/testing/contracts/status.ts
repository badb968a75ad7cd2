import type { Incident } from '../../kinds/incident.js';
import { MINUTE, SECOND } from '../../kinds/instant.js';
import type { ReadContext } from '../../ports/readers.js';
import type { RecordStore } from '../../ports/store.js';
import { NOW } from '../builders.js';
import { type ContractCase, type ContractOptions, StandingClock, assertSame, namedCase, withStore } from '../contract.js';
import { aService, anIncident } from '../status-builders.js';
import { assertEndsOnAbort } from './aborted-calls.js';

/** What the readers of services and of unresolved incidents promise. */
export function statusContract(options: ContractOptions): readonly ContractCase[] {
  const on = (name: string, use: (store: RecordStore, context: ReadContext) => Promise<void>): ContractCase =>
    namedCase(name, () => withStore(options, new StandingClock(NOW), (store) => use(store, options.context)));
  return [
    on('services: all of them, by key; one by key, or null', services),
    on('services: whether one is a dependency, its group and its order are kept', optionalFields),
    on('services: `signal` ends a call at once', servicesEndOnAbort),
    on('incidents: later than `notAfter` only when they are planned maintenance', notAfter),
    on('incidents: the unresolved ones, newest first, at most 100', unresolved),
    on('incidents: `signal` ends a call at once', incidentsEndOnAbort),
  ];
}

async function services({ readers, writer }: RecordStore, context: ReadContext): Promise<void> {
  assertSame(await readers.services.list(context), [], 'the services of an empty store');
  const keys = ['acme:b', 'acme:a', 'acme:a-b', 'acme:a.b', 'acme:a10', 'acme:a9', 'zeta:a'];
  await writer.put(
    keys.map((key) => aService({ key })),
    context,
  );
  const listed = await readers.services.list(context);
  assertSame(
    listed.map(({ key }) => key),
    [...keys].sort(),
    'the keys of all services',
  );
  assertSame(await readers.services.byKey('acme:a', context), aService({ key: 'acme:a' }), 'acme:a');
  for (const key of ['acme:none', 'acme', '', '__proto__', 'ACME:A']) assertSame(await readers.services.byKey(key, context), null, `"${key}"`);
}

async function optionalFields({ readers, writer }: RecordStore, context: ReadContext): Promise<void> {
  const grouped = aService({ key: 'acme:web', group: 'Web', order: 3 });
  await writer.put([aService({ key: 'acme:own' }), aService({ key: 'other:api', dependency: true }), grouped], context);
  const listed = await readers.services.list(context);
  assertSame(
    listed.map(({ dependency = false }) => dependency),
    [false, false, true],
    'which services are dependencies',
  );
  assertSame(await readers.services.byKey('acme:web', context), grouped, 'a service in a group');
  await writer.put([aService({ key: 'other:api' }), aService({ key: 'acme:web' })], context);
  assertSame(await readers.services.byKey('acme:web', context), aService({ key: 'acme:web' }), 'a service that has left its group');
  assertSame((await readers.services.byKey('other:api', context))?.dependency ?? false, false, 'a service that is no dependency any more');
}

async function servicesEndOnAbort({ readers, writer }: RecordStore, context: ReadContext): Promise<void> {
  await writer.put([aService()], context);
  await assertEndsOnAbort('list', (ended) => readers.services.list(ended));
  await assertEndsOnAbort('byKey', (ended) => readers.services.byKey('acme:widget-api', ended));
}

function planned(id: string, startedAt: number): Incident {
  return anIncident({ id, startedAt, incidentKind: 'maintenance', state: 'scheduled', resolvedAt: null });
}

function declared(id: string, startedAt: number): Incident {
  return anIncident({ id, startedAt, state: 'investigating', resolvedAt: null });
}

async function notAfter({ readers, writer }: RecordStore, context: ReadContext): Promise<void> {
  await writer.put([declared('now', NOW), declared('later', NOW + 1), planned('planned', NOW + 2), declared('before', NOW - 1)], context);
  const expected = ['planned', 'now', 'before'];
  const query = { limit: 10, after: null, from: null, to: NOW + MINUTE, state: null, service: null, covers: null, kind: null, notAfter: NOW };
  assertSame(idsOf((await readers.incidents.list(query, context)).items), expected, 'the list');
  assertSame(idsOf(await readers.incidents.unresolved(NOW, context)), expected, 'the unresolved ones');
  const short = await readers.incidents.list({ ...query, limit: 2 }, context);
  assertSame([idsOf(short.items), short.next?.id], [expected.slice(0, 2), 'now'], 'a page of 2');
}

async function unresolved({ readers, writer }: RecordStore, context: ReadContext): Promise<void> {
  const ended = (['resolved', 'postmortem', 'completed'] as const).map((state) => anIncident({ id: state, state, startedAt: NOW }));
  const open = Array.from({ length: 101 }, (_, index) => declared(`open-${String(index)}`, NOW - index * SECOND));
  await writer.put([...open, ...ended], context);
  assertSame(idsOf(await readers.incidents.unresolved(NOW, context)), idsOf(open.slice(0, 100)), 'the unresolved ones of 101');
}

async function incidentsEndOnAbort({ readers, writer }: RecordStore, context: ReadContext): Promise<void> {
  await writer.put([anIncident()], context);
  await assertEndsOnAbort('unresolved', (ended) => readers.incidents.unresolved(NOW, ended));
}

function idsOf(incidents: readonly Incident[]): string[] {
  return incidents.map(({ id }) => id);
}
