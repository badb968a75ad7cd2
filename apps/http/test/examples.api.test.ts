import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UnavailableError, type StoreReaders } from '@vitrine/core';
import { Api } from './support/api.js';
import { secondCommit, smallWorld } from './support/small-world.js';

const example = (name: string): string => readFileSync(join(__dirname, 'examples', `${name}.json`), 'utf8');

/** JSON text keeps the order of keys, so the order is compared too. Cursors and request ids may differ. */
function comparable(text: string): string {
  const free = JSON.parse(text, (key, value: unknown) => {
    if (key === 'nextCursor' && value !== null) return 'cursor';
    return key === 'instance' ? 'instance' : value;
  }) as unknown;
  return JSON.stringify(free, null, 1);
}

const withoutStatus = (readers: StoreReaders): StoreReaders => ({
  ...readers,
  checks: { ...readers.checks, present: () => Promise.reject(new UnavailableError()) },
});

const SMALL_WORLD = [
  ['commit', '/api/v1/development/commits/9f1c2d3e4b5a69788796a5b4c3d2e1f001122334'],
  ['release', '/api/v1/development/releases/acme%2Fwidget%40v2.1.0'],
  ['finding', '/api/v1/development/findings/fnd_7k2m9q'],
  ['activity', '/api/v1/development/activity?from=2026-11-19&to=2026-11-20'],
  ['repository', '/api/v1/repositories/acme/widget'],
  ['repository', '/api/v1/repositories/acme%2Fwidget'],
  ['hub', '/api/v1/repositories/acme/widget/hub'],
  ['mission', '/api/v1/missions/msn_public-read-api'],
  ['news', '/api/v1/news'],
  ['articles', '/api/v1/articles'],
  ['videos', '/api/v1/videos'],
  ['overview', '/api/v1/overview'],
  ['search', '/api/v1/search?q=widget'],
  ['status', '/api/v1/status'],
  ['service', '/api/v1/status/services/acme%3Awidget-api'],
  ['history-checks', '/api/v1/status/services/acme%3Awidget-api/history?limit=2'],
  ['history-days', '/api/v1/status/services/acme%3Awidget-api/history?granularity=day&from=2026-11-19&to=2026-11-20'],
  ['incidents', '/api/v1/status/incidents'],
  ['problem', '/api/v1/development/commits?limit=0&from=2026-02-01&to=2026-01-01'],
] as const;

describe('the response bodies for the small data set', () => {
  let api: Api;

  beforeAll(async () => {
    api = await Api.open({ records: smallWorld });
  });

  afterAll(() => api.close());

  it.each(SMALL_WORLD)('equals %s.json at %s', async (name, target) => {
    expect(comparable((await api.get(target)).body)).toBe(comparable(example(name)));
  });
});

afterAll(() => Api.closeAll());

it('equals commits.json when there is a second page', async () => {
  const api = await Api.open({ records: [...smallWorld, secondCommit] });
  expect(comparable((await api.get('/api/v1/development/commits?limit=1')).body)).toBe(comparable(example('commits')));
});

it('equals overview-partial.json when stored checks cannot be read', async () => {
  const api = await Api.open({ records: smallWorld, readers: withoutStatus });
  expect(comparable((await api.get('/api/v1/overview')).body)).toBe(comparable(example('overview-partial')));
});
