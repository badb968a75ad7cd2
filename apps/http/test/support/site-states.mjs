// The states in which a site can be, made from the demo, and a server for each: for `npm run pictures`, and for the matrix of pages in a torture run.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { openMemoryStore } from '../../../../packages/adapters-memory/dist/index.js';
import { loadDemo } from '../../../../packages/collector/dist/index.js';
import { Allowlist, HOUR, MINUTE, SECOND } from '../../../../packages/core/dist/index.js';
import { createVitrineHandler } from '../../dist/index.js';

export const demoAt = (now) => loadDemo(fileURLToPath(new URL('../../../../examples/demo.ndjson', import.meta.url)), now);

/** Records on a free port, at this moment. */
export async function serve(records, approvedNames, now, site = {}) {
  const clock = { now: () => now };
  const store = await openMemoryStore({ clock });
  await store.writer.put(records, { signal: new AbortController().signal });
  const approved = new Allowlist(approvedNames).approved();
  const publicUrl = 'https://status.acme.example';
  const handler = createVitrineHandler({ store, approved: () => approved, publicUrl, clock, site: { title: 'Acme', ...site } });
  // A check may take longer than Node keeps an idle connection, and the next request would find it closed.
  const server = createServer({ keepAliveTimeout: 0 }, handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return { origin: `http://127.0.0.1:${server.address().port}`, stop };
}

/** A name and an address for each kind of page. @returns {readonly (readonly [name: string, path: string])[]} */
export function pagesOf(records) {
  const idOf = (kind) => encodeURIComponent(records.find((record) => record.kind === kind).id);
  const commit = records.find(({ kind }) => kind === 'commit');
  const lists = ['commits', 'releases', 'findings', 'missions', 'news', 'articles', 'videos', 'repositories'];
  return [
    ['overview', '/'],
    ['status', '/status'],
    ['history', '/status/history'],
    ['service', '/status/services/acme%3Awidget-api'],
    ['incident', `/status/incidents/${idOf('incident')}`],
    ...lists.map((list) => [list, `/${list}`]),
    ['commit', `/commits/${encodeURIComponent(`${commit.repositoryRef}@${commit.sha}`)}`],
    ...['release', 'finding', 'mission', 'article', 'video'].map((kind) => [kind, `/${kind}s/${idOf(kind)}`]),
    ['news-record', `/news/${idOf('news')}`],
    ['repository', '/repositories/acme/widget'],
    ['search', '/search?q=widget'],
    ['about', '/about'],
    ['lost', '/nothing'],
  ];
}

const STATUS_KINDS = new Set(['service', 'check', 'status-day', 'incident']);
const HOSTILE = ['</title><script>alert(1)</script>', 'W'.repeat(300), '\u202eabc \u0645\u0631\u062d\u0628\u0627 \u{1f469}\u200d\u{1f680}', ''];

/** A name and the records of each state in which a site can be. @returns {readonly (readonly [name: string, records: typeof records])[]} */
export function statesOf(records, now) {
  const service = records.find(({ kind, key }) => kind === 'service' && key === 'acme:widget-api');
  const newest = records.findLast(({ kind, serviceKey }) => kind === 'check' && serviceKey === service.key);
  const check = (state, more = {}) => ({
    ...newest,
    state,
    rawState: state === 'outage' ? 'HTTP 503' : state,
    checkedAt: now + SECOND,
    validForMs: HOUR,
    ...more,
  });
  const incident = (state, more) => {
    const known = records.find((record) => record.kind === 'incident' && record.incidentKind === 'declared');
    const services = [{ key: service.key, displayName: service.displayName, impacts: [] }];
    const updates = [
      { id: 'now~1', state, body: 'A **bad configuration** reached one of three nodes. We are rolling it back.', createdAt: now - 8 * MINUTE },
    ];
    return {
      ...known,
      id: 'now',
      title: 'Requests to the Widget API fail',
      state,
      impact: 'major',
      services,
      updates,
      startedAt: now - 26 * MINUTE,
      resolvedAt: null,
      ...more,
    };
  };
  const synced = (lastSuccessAt) =>
    records.map((record) => (record.kind === 'sync' ? { ...record, lastSuccessAt, lastAttemptAt: lastSuccessAt } : record));
  const hostile = (record, index) => {
    const text = HOSTILE[index % HOSTILE.length];
    const texts = ['title', 'name', 'displayName', 'authorName'].filter((field) => typeof record[field] === 'string' && record.kind !== 'repository');
    return { ...record, ...Object.fromEntries(texts.map((field) => [field, text])) };
  };
  const many = Array.from({ length: 100 }, (_, index) => {
    const key = `acme:service-${String(index).padStart(3, '0')}`;
    const checks = Array.from({ length: 24 }, (_unused, hour) =>
      check(index % 33 === 7 && hour === 0 ? 'outage' : 'operational', {
        serviceKey: key,
        checkedAt: now - hour * HOUR,
        responseTimeMs: 60 + ((index * 31 + hour * 17) % 90),
      }),
    );
    return [{ ...service, key, displayName: `Service ${index + 1}`, group: `Group ${Math.floor(index / 20) + 1}`, order: index }, ...checks];
  });
  return [
    [
      'first-day',
      [
        { ...service, firstSeenAt: now - HOUR },
        ...[1, 11, 21].map((minutes) => check('operational', { checkedAt: now - minutes * MINUTE, responseTimeMs: 80 + minutes })),
      ],
    ],
    ['well', records],
    ['degraded', [...records, check('degraded')]],
    ['outage', [...records, check('outage', { responseTimeMs: null }), incident('identified')]],
    ['maintenance', [...records, check('maintenance'), incident('in_progress', { incidentKind: 'maintenance', impact: 'maintenance' })]],
    ['stale', synced(now - 3 * 24 * HOUR)],
    ['partial', synced(null)],
    ['status-only', records.filter(({ kind }) => STATUS_KINDS.has(kind))],
    ['development-only', records.filter(({ kind }) => !STATUS_KINDS.has(kind) && kind !== 'sync')],
    ['one-repository', records.filter(({ repositoryRef }) => repositoryRef === 'acme/handbook')],
    ['hundred-services', many.flat()],
    ['hostile', records.map(hostile)],
  ];
}
