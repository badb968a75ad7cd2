import { DAY, HOUR, MINUTE, type StoredRecord } from '@vitrine/core';
import {
  aBuild,
  aCheck,
  aCommit,
  aFinding,
  aMission,
  anArticle,
  anIncident,
  aProvenance,
  aRelease,
  aRepositoryRecord,
  aService,
  aSync,
  aVideo,
  NOW,
  someNews,
} from '@vitrine/core/testing';

/** Texts that break pages: markup that runs, no blank to break at, another direction, nothing at all, half of a surrogate pair, characters that no HTML may have. */
const HOSTILE_TEXTS = [
  `</title></script><script>alert(1)</script><img src=x onerror=alert(2)><svg onload=alert(3)>"' autofocus onfocus=alert(4) x="`,
  'W'.repeat(10_000),
  'مرحبا بالعالم \u202eabc שלום 👩‍👩‍👧‍👦 e\u0301 𝒳 < > & " \'',
  '',
  'half \ud800 of a pair',
  'c\u0000o\u0001n\u000bt\u001br\u007fo\u0085l\u009f\ufdd0\uffff\u{1ffff}',
] as const;

const MARKDOWN = [
  '# One\n\n### Three\n\n<script>alert(5)</script>\n\n[x](javascript:alert(6)) [y](./relative) <https://acme.example/a>\n\n![picture](https://evil.example/x.png)',
  '<details><summary>More</summary>\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n<iframe src="https://evil.example"></iframe><style>*{display:none}</style></div></details>',
  '<a href="https://acme.example" onclick="alert(7)" style="position:fixed">link</a> <form><input autofocus onfocus=alert(8)></form>',
  `\`\`\`\n${'x'.repeat(500)}\n\`\`\`\n\n<!-- a comment -->\n\n## Two <b>bold`,
] as const;

const sha = (index: number): string => (index + 1).toString(16).padStart(40, 'a');

function variant(text: string, index: number): readonly StoredRecord[] {
  const at = NOW - HOUR - index * DAY;
  const body = `${text}\n\n${MARKDOWN[index] ?? ''}`;
  return [
    aCommit({
      sha: sha(index),
      title: text,
      description: body,
      authorName: text,
      authorLogin: text,
      branch: text === '' ? null : text,
      committedAt: at,
    }),
    aRelease({ tagName: `v${String(index)}`, name: text, body, publishedAt: at, platform: text === '' ? null : text }),
    aFinding({
      id: `fnd_${String(index)}`,
      title: text,
      summary: body,
      detectedAt: at,
      evidence: { branch: text, additions: 1, deletions: 0, files: [text, `${text}/b`] },
    }),
    aMission({ id: `msn_${String(index)}`, title: text, summary: body, labels: [text], createdAt: at, startedAt: at, targetAt: at, completedAt: at }),
    aBuild({ id: `bld_${String(index)}`, name: text, branch: text, platform: text, finishedAt: at }),
    someNews({ id: `nws_${String(index)}`, source: `${text} `, title: text, summary: body, publishedAt: at, listedAt: at, discoveredAt: at }),
    anArticle({ id: `art_${String(index)}`, title: text, summary: text, body, authorName: text, tags: [text], publishedAt: at, updatedAt: at }),
    anArticle({ id: `htm_${String(index)}`, title: text, summary: text, body, bodyFormat: 'html', publishedAt: at }),
    aVideo({ id: `vid_${String(index)}`, title: text, description: body, channelName: text, tags: [text], publishedAt: at, discoveredAt: at }),
    aService({ key: `acme:s${String(index)}`, displayName: text === '' ? ' ' : text }),
    anIncident({
      id: `inc_${String(index)}`,
      title: text,
      state: index % 2 === 0 ? 'investigating' : 'resolved',
      impact: index % 2 === 0 ? 'critical' : 'none',
      startedAt: at,
      resolvedAt: index % 2 === 0 ? null : at + HOUR,
      services: [{ key: `acme:s${String(index)}`, displayName: text, impacts: [{ state: 'outage', startAt: at, endAt: null }] }],
      updates: [{ id: `inc_${String(index)}~1`, state: 'investigating', body, createdAt: at }],
      ...(index === 1 ? { incidentKind: 'detected', confirmingChecks: 1_000, endUncertain: true } : { covers: ['inc_1', text.slice(0, 100)] }),
    }),
    aCheck({
      serviceKey: `acme:s${String(index)}`,
      state: index === 0 ? 'outage' : 'operational',
      checkedAt: NOW - MINUTE,
      responseTimeMs: index === 1 ? null : 86_400_000,
    }),
  ];
}

const RELEASE_URL = 'https://github.com/acme/widget/releases/tag/half';
const KINDS = ['repository', 'commit', 'release', 'finding', 'build', 'mission', 'article'] as const;

/** Records of every kind with the worst texts. */
export const hostileWorld: readonly StoredRecord[] = [
  aRepositoryRecord(),
  ...HOSTILE_TEXTS.flatMap(variant),
  aRelease({
    id: 'acme/widget@half',
    tagName: 'v\ud800',
    publishedAt: NOW - HOUR / 2,
    sourceUrl: RELEASE_URL,
    provenance: { ...aProvenance(), sourceUrl: RELEASE_URL },
  }),
  aSync({ feeds: KINDS }),
  // A source that is late, and one that never completed.
  aSync({ id: 'public', repositoryRef: '-', feeds: ['news', 'video'], lastSuccessAt: NOW - 10 * DAY, lastAttemptAt: NOW - 10 * DAY }),
  aSync({ id: 'checks', repositoryRef: '-', feeds: ['check', 'incident'], lastSuccessAt: null, lastAttemptAt: null, firstAttemptAt: null }),
];

const DAYS = 100;

/** A service with a check on most days, in every state, so that bars and charts have something to show. */
export const checkedDays: readonly StoredRecord[] = Array.from({ length: DAYS }, (_, index) => index)
  .filter((index) => index % 9 !== 4)
  .map((index) =>
    aCheck({
      checkedAt: NOW - HOUR - index * DAY,
      state: index % 20 === 3 ? 'outage' : index % 20 === 7 ? 'degraded' : index % 20 === 11 ? 'maintenance' : 'operational',
      responseTimeMs: 100 + ((index * 37) % 200),
      validForMs: DAY,
    }),
  );

/** One page of each kind for the records of the small world. */
export const PAGES = [
  '/',
  '/status',
  '/status/history',
  '/status/services/acme%3Awidget-api',
  '/status/services/acme%3Adocs',
  '/status/incidents/inc_2026-11-20-errors',
  '/repositories',
  '/repositories/acme/widget',
  '/commits',
  '/commits?changeType=fix&from=2026-01-01',
  '/commits/acme%2Fwidget%409f1c2d3e4b5a69788796a5b4c3d2e1f001122334',
  '/releases',
  '/releases/acme%2Fwidget%40v2.1.0',
  '/findings',
  '/findings/fnd_7k2m9q',
  '/missions',
  '/missions/msn_public-read-api',
  '/news',
  '/news/nws_4d1x8c',
  '/articles',
  '/articles/widget-2-1-changelog',
  '/videos',
  '/videos/vid_8c3p0z',
  '/search',
  '/search?q=widget',
  '/search?q=nothing+matches',
  '/about',
  '/nothing',
  '/commits?from=yesterday',
] as const;

/** The pages of the hostile world that show most of its texts. */
export const HOSTILE_PAGES = [
  '/',
  '/status',
  '/status/history',
  '/repositories/acme/widget',
  '/about',
  '/search?q=acme',
  ...['commits', 'releases', 'findings', 'missions', 'news', 'articles', 'videos'].map((list) => `/${list}`),
  ...HOSTILE_TEXTS.flatMap((_, index) => [
    `/commits/${encodeURIComponent(`acme/widget@${sha(index)}`)}`,
    `/releases/${encodeURIComponent(`acme/widget@v${String(index)}`)}`,
    `/findings/fnd_${String(index)}`,
    `/missions/msn_${String(index)}`,
    `/news/nws_${String(index)}`,
    `/articles/art_${String(index)}`,
    `/articles/htm_${String(index)}`,
    `/videos/vid_${String(index)}`,
    `/status/services/${encodeURIComponent(`acme:s${String(index)}`)}`,
    `/status/incidents/inc_${String(index)}`,
  ]),
] as const;
