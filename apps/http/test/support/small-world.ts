import type { Check, Provenance, Service, ServiceState, StoredRecord } from '@vitrine/core';
import {
  aBuild,
  aCheck,
  aCommit,
  aFinding,
  aMission,
  anArticle,
  anIncident,
  aRelease,
  aRepositoryRecord,
  aService,
  aSync,
  aVideo,
  NOW,
  someNews,
} from '@vitrine/core/testing';

const at = (text: string): number => Date.parse(text);
const OBSERVED = at('2026-11-20T13:58:02.114Z');
const HOME = 'https://github.com/acme/widget';
const SHA = '9f1c2d3e4b5a69788796a5b4c3d2e1f001122334';
const COMMITTED = at('2026-11-20T13:41:52.000Z');
const RELEASED = at('2026-11-18T09:00:00.000Z');

const github = (sourceUrl: string, publishedAt?: number): Provenance => ({
  source: 'GitHub',
  sourceKind: 'official-source',
  sourceUrl,
  observedAt: OBSERVED,
  ...(publishedAt === undefined ? {} : { publishedAt }),
  confidence: 'high',
  isOfficialSource: true,
});

const probe = (sourceUrl: string, observedAt: number): Provenance => ({
  source: 'Acme probe',
  sourceKind: 'confirmed-from-source',
  sourceUrl,
  observedAt,
  confidence: 'high',
  isOfficialSource: true,
});

const service = (key: string, displayName: string, healthUrl: string): Service =>
  aService({ key, displayName, healthUrl, provenance: probe(healthUrl, at('2026-11-20T13:57:00.000Z')) });

const HEALTH = 'https://widget.acme.example/health';

function check(minute: number): Check {
  const state: ServiceState = minute === 55 ? 'outage' : minute === 56 ? 'degraded' : 'operational';
  const checkedAt = at(`2026-11-20T13:${String(minute)}:00.000Z`);
  return aCheck({
    state,
    rawState: state === 'outage' ? '503' : '200',
    checkedAt,
    responseTimeMs: state === 'outage' ? null : 212,
    provenance: probe(HEALTH, checkedAt),
  });
}

const development: readonly StoredRecord[] = [
  aRepositoryRecord({ lastSyncedAt: OBSERVED, provenance: github(HOME) }),
  aCommit({ sha: SHA, committedAt: COMMITTED, provenance: github(`${HOME}/commit/${SHA}`, COMMITTED) }),
  aRelease({
    body: '### Fixed\n- Stable cursors',
    publishedAt: RELEASED,
    sourceUrl: `${HOME}/releases/tag/v2.1.0`,
    provenance: github(`${HOME}/releases/tag/v2.1.0`, RELEASED),
  }),
  aFinding({
    id: 'fnd_7k2m9q',
    summary: 'New tests of the widget cover cursor stability under inserts.',
    detectedAt: at('2026-11-20T13:50:00.000Z'),
    sourceUrl: `${HOME}/commit/${SHA}`,
    provenance: {
      ...github(`${HOME}/commit/${SHA}`),
      source: 'finding-detector',
      sourceKind: 'service-interpretation',
      confidence: 'low',
      isOfficialSource: false,
    },
  }),
  aBuild({
    id: 'bld_19844420017',
    startedAt: at('2026-11-20T13:42:10.000Z'),
    finishedAt: at('2026-11-20T13:47:55.000Z'),
    durationSeconds: 345,
    url: `${HOME}/actions/runs/19844420017`,
    provenance: github(`${HOME}/actions/runs/19844420017`),
  }),
  aMission({
    id: 'msn_public-read-api',
    createdAt: at('2026-10-01T08:00:00.000Z'),
    startedAt: at('2026-10-01T00:00:00.000Z'),
    targetAt: at('2026-12-15T00:00:00.000Z'),
    url: `${HOME}/milestone/7`,
    provenance: github(`${HOME}/milestone/7`),
  }),
];

const content: readonly StoredRecord[] = [
  someNews({
    id: 'nws_4d1x8c',
    publishedAt: at('2026-11-18T10:00:00.000Z'),
    listedAt: at('2026-11-18T10:00:00.000Z'),
    discoveredAt: at('2026-11-18T10:07:31.402Z'),
    provenance: { ...github('https://blog.acme.example/feed.xml', at('2026-11-18T10:00:00.000Z')), source: 'Acme Blog' },
  }),
  anArticle({
    body: '## Widget 2.1\n\n### Added\n- JSON Feed for releases\n\n### Fixed\n- Duplicate rows while paging',
    changes: [
      { type: 'added', text: 'JSON Feed for releases' },
      { type: 'fixed', text: 'Duplicate rows while paging' },
    ],
    publishedAt: at('2026-11-18T09:30:00.000Z'),
    url: `${HOME}/blob/main/CHANGELOG.md`,
    sourceUrl: `${HOME}/blob/main/CHANGELOG.md`,
    provenance: github(`${HOME}/blob/main/CHANGELOG.md`),
  }),
  aVideo({
    id: 'vid_8c3p0z',
    url: 'https://www.youtube.com/watch?v=abc123',
    embedUrl: 'https://www.youtube-nocookie.com/embed/abc123',
    thumbnailUrl: 'https://i.ytimg.com/vi/abc123/hqdefault.jpg',
    publishedAt: at('2026-11-18T12:00:00.000Z'),
    discoveredAt: at('2026-11-18T12:20:09.000Z'),
    sourceUrl: 'https://www.youtube.com/watch?v=abc123',
    provenance: { ...github('https://www.youtube.com/feeds/videos.xml?channel_id=UCacme'), source: 'YouTube: Acme' },
  }),
];

const STARTED = at('2026-11-20T13:55:00.000Z');

const status: readonly StoredRecord[] = [
  service('acme:widget-api', 'Widget API', HEALTH),
  service('acme:docs', 'Documentation', 'https://docs.acme.example/'),
  anIncident({
    id: 'inc_2026-11-20-errors',
    startedAt: STARTED,
    services: [
      {
        key: 'acme:widget-api',
        displayName: 'Widget API',
        impacts: [
          { state: 'outage', startAt: STARTED, endAt: at('2026-11-20T13:56:00.000Z') },
          { state: 'degraded', startAt: at('2026-11-20T13:56:00.000Z'), endAt: at('2026-11-20T13:57:00.000Z') },
        ],
      },
    ],
    updates: [
      { id: 'inc_2026-11-20-errors~2', state: 'resolved', body: 'A bad index was rolled back.', createdAt: at('2026-11-20T13:58:00.000Z') },
      { id: 'inc_2026-11-20-errors~1', state: 'investigating', body: 'Requests fail.', createdAt: at('2026-11-20T13:55:40.000Z') },
    ],
    provenance: { ...github('https://status.acme.example/'), source: 'Acme operations', observedAt: at('2026-11-20T13:58:10.000Z') },
  }),
  ...Array.from({ length: 10 }, (_, index) => check(50 + index)),
  aSync({ lastSuccessAt: OBSERVED, feeds: ['repository', 'commit', 'release', 'finding', 'build', 'mission', 'article'] }),
  aSync({ id: 'public', repositoryRef: '-', feeds: ['news', 'video', 'check', 'incident'] }),
];

/** One record of everything, with the time of the builders. */
export const smallWorld: readonly StoredRecord[] = [...development, ...content, ...status];

/** A further commit, so that lists have a second page. */
export const secondCommit = aCommit({
  sha: '1111111111111111111111111111111111111111',
  title: 'Begin',
  committedAt: COMMITTED - 1_000,
  provenance: github(`${HOME}/commit/1`),
});

export const PUBLIC_URL = 'https://status.acme.example';
export { NOW };
