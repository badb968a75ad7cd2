// Writes demo.ndjson beside itself, or the file that is named: `node examples/generate-demo.mjs`. The same bytes every time. Needs `npm run build`.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { PROVIDER, providerLines } from './demo-provider.mjs';

const ANCHOR = Date.parse('2026-11-20T12:00:00Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const CODE = 'https://code.acme.example';
const SITE = 'https://acme.example';
const PEOPLE = [
  ['Ada Example', 'ada'],
  ['Bo Sample', 'bo'],
  ['Chika Muster', 'chika'],
  ['Dana Specimen', 'dana'],
];

/** Four dots in the colours of states. */
const STATES = {
  id: 'bff06e542f189a1c4a760681441e8ece.png',
  articleId: 'reading-the-status-page',
  data:
    'iVBORw0KGgoAAAANSUhEUgAAAPAAAAA8BAMAAACqUSpuAAAAD1BMVEX///8jk1zEegDRNDRKe+DmtLkeAAAAAXRSTlMAQObYZgAAARFJREFUeNrtmLENwzAMBKM4A4gbGJxAABdwwf1nigobsCTqix' +
    'QhEvFaFod/Fpb5eARB8FckquTZ9MmVfTbdpFJm05dWjtmUTuwpn9hTObGneoK9tpkZmUWQWRWZiZCZGZlFkFkVmdNdnM39Xuzmfi+Kud+LA3oHc+MdzI13MDfe0Uwd86LHsqVjXvRYdurFGQTuIm+9' +
    'uIDAfWQ3MRHqmhl1LYK6VkVdp1GcQeAm8jaKCwjcRnYTE6GumVHXIqhrVdi1lzhZ4gyavnW9WeICmr53vZ6YCC2ZGS1ZBC1ZFS45xCEOcYg/FsdH4mvi9V4gC74y3R70C/47uf2m+v2Yu50i/I4vfu' +
    'cmvwOb30kxCILf5A2dZ/tolJ590wAAAABJRU5ErkJggg==',
};
const SHOWN_STATES = `![Green: operational. Amber: degraded. Red: outage. Blue: maintenance.](${SITE}/images/${STATES.id})`;

/** mulberry32: small, and the same on every machine. */
let seed = 0x5eed;
function chance() {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
}
const from = (low, high) => low + Math.floor(chance() * (high - low + 1));
const pick = (list) => list[from(0, list.length - 1)];
const hex = (length) => Array.from({ length }, () => from(0, 15).toString(16)).join('');
const at = (time) => new Date(time).toISOString();
const before = (days, hours = 0) => ANCHOR - days * DAY - hours * HOUR;

const lines = [];
const add = (record) => lines.push(JSON.stringify(record));
const official = (source, sourceUrl, more = {}) => ({
  source,
  sourceKind: 'official-source',
  sourceUrl,
  observedAt: at(ANCHOR - 5 * MINUTE),
  ...more,
  confidence: 'high',
  isOfficialSource: true,
});

const REPOSITORIES = [
  { name: 'acme/widget', tag: (minor) => `v2.${minor}.0`, title: 'Widget', description: 'The storefront and its API', language: 'TypeScript' },
  { name: 'acme/gadget', tag: (minor) => `v1.${minor}.0`, title: 'Gadget', description: 'The client for desktops', language: 'Rust' },
  { name: 'acme/handbook', tag: null, title: 'Handbook', description: 'How we work' },
];

const CHANGES = {
  'acme/widget': [
    ['feature', 'feat: page through commits by keyset', 'src/paging/keyset.ts'],
    ['feature', 'feat: JSON Feed for releases', 'src/feeds/json-feed.ts'],
    ['fix', 'fix: keep the cursor when a record is edited', 'src/paging/cursor.ts'],
    ['fix', 'fix: answer HEAD without a body', 'src/http/head.ts'],
    ['tests', 'test: walk every page while records arrive', 'test/paging.test.ts'],
    ['docs', 'docs: explain how uptime is counted', 'docs/uptime.md'],
    ['performance', 'perf: read one index instead of two', 'src/store/indexes.ts'],
    ['refactor', 'refactor: give the cursor a file of its own', 'src/paging/cursor.ts'],
    ['dependencies', 'chore(deps): update the database driver', 'package.json'],
    ['ci', 'ci: run the suites on two versions', '.ci/run'],
  ],
  'acme/gadget': [
    ['feature', 'feat: dark colours', 'app/theme.css'],
    ['feature', 'feat: search while typing', 'app/search.ts'],
    ['fix', 'fix: no flicker when the window is resized', 'app/layout.ts'],
    ['fix', 'fix: show times in the reader’s zone', 'app/time.ts'],
    ['build', 'build: sign the desktop packages', 'build/sign.ts'],
    ['tests', 'test: cover the keyboard', 'test/keyboard.test.ts'],
    ['docs', 'docs: pictures of the new menu', 'docs/menu.md'],
    ['security', 'security: escape titles in notifications', 'app/notify.ts'],
  ],
  'acme/handbook': [
    ['docs', 'docs: how we hand over on-call', 'on-call/handover.md'],
    ['docs', 'docs: glossary of status words', 'status/words.md'],
    ['docs', 'docs: what a good release note says', 'releases/notes.md'],
    ['chore', 'chore: fix spelling', 'README.md'],
  ],
};

function commitsOf(name, count) {
  const shas = [];
  for (let i = 0; i < count; i++) {
    const [changeType, title, path] = pick(CHANGES[name]);
    const [authorName, authorLogin] = pick(PEOPLE);
    const sha = hex(40);
    const committedAt = at(before(Math.floor((i * 88) / count), from(0, 22)) - from(1, 59) * MINUTE);
    const url = `${CODE}/${name}/commit/${sha}`;
    shas.push(sha);
    add({
      kind: 'commit',
      repository: name,
      sha,
      title,
      description: i % 4 === 0 ? 'Seen by a reader who followed every link of a page while new records arrived.' : '',
      authorName,
      authorLogin,
      branch: i % 9 === 4 ? 'next' : 'main',
      additions: from(1, 180),
      deletions: from(0, 90),
      filesChanged: from(1, 9),
      changeType,
      committedAt,
      changedPaths: [path],
      provenance: official('Acme Code', url, { publishedAt: committedAt }),
    });
  }
  return shas;
}

function releasesOf({ name, tag, title }) {
  if (tag === null) return;
  for (let minor = 1; minor <= 5; minor++) {
    const isNewest = minor === 5;
    const tagName = isNewest ? `${tag(minor)}-rc.1` : tag(minor);
    const publishedAt = at(before((5 - minor) * 20 + 2, 3));
    const url = `${CODE}/${name}/releases/tag/${tagName}`;
    const platform = name === 'acme/gadget' ? pick(['linux', 'macos', 'windows']) : null;
    const items = CHANGES[name].slice(minor, minor + 3).map(([, subject]) => `- ${subject.replace(/^[^:]*: /, '')}`);
    add({
      kind: 'release',
      repository: name,
      tagName,
      name: `${title} ${tagName.slice(1)}`,
      body: `### Changes\n${items.join('\n')}`,
      platform,
      releaseType: isNewest ? 'rc' : 'stable',
      publishedAt,
      sourceUrl: url,
      assets: filesOf(name, tagName, minor, platform),
      provenance: official('Acme Code', url, { publishedAt }),
    });
  }
}

/** What can be downloaded of a release. */
function filesOf(name, tagName, minor, own) {
  const file = (platform, ending, size) => ({
    name: `${name.slice(5)}-${tagName.slice(1)}-${platform}.${ending}`,
    platform,
    size,
    url: `${CODE}/${name}/releases/download/${tagName}/${name.slice(5)}-${tagName.slice(1)}-${platform}.${ending}`,
  });
  if (name !== 'acme/gadget') return [file('linux', 'tar.gz', 4_180_000 + 9_000 * minor), file('windows', 'zip', 4_610_000 + 9_000 * minor)];
  return [file(own, { macos: 'dmg', linux: 'deb', windows: 'msi' }[own], 48_900_000 + 400_000 * minor)];
}

function workOf(name, shas) {
  shas.slice(0, 6).forEach((commitSha, i) => {
    const startedAt = before(i * 2, 2);
    const duration = from(120, 620);
    const url = `${CODE}/${name}/builds/${400 - i}`;
    add({
      kind: 'build',
      id: `bld_${name.slice(5)}-${400 - i}`,
      repository: name,
      name: 'CI',
      number: 400 - i,
      state: i === 3 ? 'failed' : 'succeeded',
      trigger: 'push',
      branch: 'main',
      commitSha,
      platform: 'linux',
      version: null,
      startedAt: at(startedAt),
      finishedAt: at(startedAt + duration * 1_000),
      durationSeconds: duration,
      url,
      provenance: official('Acme Code', url),
    });
  });
}

function finding(name, number, { title, status, changeType, confidence, evidence }) {
  const url = `${CODE}/${name}/commit/${evidence.commitSha}`;
  add({
    kind: 'finding',
    id: `fnd_${name.slice(5)}-${number}`,
    repository: name,
    title,
    summary: `Seen in the changes of ${name}: ${title.toLowerCase()}.`,
    status,
    changeType,
    evidence,
    detectedAt: at(before(number * 4 - 3, 5)),
    sourceUrl: url,
    provenance: {
      source: 'finding-detector',
      sourceKind: 'service-interpretation',
      sourceUrl: url,
      observedAt: at(ANCHOR - 5 * MINUTE),
      confidence,
      isOfficialSource: false,
    },
  });
}

function findingsOf(name, shas) {
  [
    ['Paging is now covered while records arrive', 'RELEASED', 'tests'],
    ['One index less to read for each list', 'CONFIRMED', 'performance'],
    ['Notifications may soon group by day', 'EXPERIMENTAL', 'feature'],
  ].forEach(([title, status, changeType], i) => {
    finding(name, i + 1, {
      title,
      status,
      changeType,
      confidence: i === 2 ? 'low' : 'medium',
      evidence: {
        branch: i === 2 ? 'next' : 'main',
        additions: from(20, 200),
        deletions: from(0, 40),
        files: [pick(CHANGES[name])[2]],
        commitSha: shas[i],
      },
    });
  });
}

/** A finding that a revert has taken back. */
function retractedFinding(name, commitSha) {
  finding(name, 4, {
    title: 'Titles of releases may be shortened',
    status: 'RETRACTED',
    changeType: 'feature',
    confidence: 'high',
    evidence: { branch: 'next', additions: 31, deletions: 4, files: ['src/feeds/json-feed.ts'], commitSha },
  });
}

function missions() {
  [
    ['acme/widget', 'public-read-api', 'Public read API for the widget', 'Serve development activity without accounts.', 'active', 14, 20],
    ['acme/gadget', 'keyboard', 'Everything by keyboard', 'Each action of the gadget has a key.', 'completed', 12, 12],
    [null, 'honest-status', 'Honest status', 'Publish only what stored checks prove.', 'planned', 0, 8],
  ].forEach(([repository, id, title, summary, status, completed, total], i) => {
    const url = repository === null ? `${SITE}/missions/${id}` : `${CODE}/${repository}/milestone/${i + 7}`;
    add({
      kind: 'mission',
      id: `msn_${id}`,
      repository,
      title,
      summary,
      status,
      progress: { completed, total, percent: Math.round((100 * completed) / total) },
      labels: ['public', i === 2 ? 'status' : 'product'],
      createdAt: at(before(60 - i * 10)),
      startedAt: status === 'planned' ? null : at(before(55 - i * 10)),
      targetAt: at(ANCHOR + (25 + i) * DAY),
      completedAt: status === 'completed' ? at(before(9)) : null,
      url,
      provenance: official(repository === null ? 'Acme' : 'Acme Code', url),
    });
  });
}

function content() {
  [
    ['Widget 2.5 enters its release candidate', 'widget-2-5-rc', 'Keyset paging everywhere, and a feed of releases.'],
    ['How we count uptime', 'how-we-count-uptime', 'Only stored checks count, and gaps are shown as gaps.'],
    ['Gadget goes dark', 'gadget-goes-dark', 'Dark colours, and search while you type.'],
    ['What went wrong on two days', 'two-incidents', 'An expired certificate, a slow disk, and what we changed.'],
    ['Hello from the new window', 'hello', 'From today our work can be seen by everybody.'],
  ].forEach(([title, slug, summary], i) => {
    const publishedAt = at(before(i * 11 + 1, 4));
    add({
      kind: 'news',
      id: `nws_${slug}`,
      source: 'Acme Blog',
      title,
      summary,
      url: `${SITE}/blog/${slug}`,
      publishedAt,
      discoveredAt: at(Date.parse(publishedAt) + 7 * MINUTE),
      provenance: official('Acme Blog', `${SITE}/blog/feed.xml`, { publishedAt }),
    });
  });
  add({
    kind: 'news',
    id: 'nws_widget-weekly-41',
    source: 'Widget Weekly',
    title: 'Three teams that show their work',
    summary: 'A reader of ours went through the windows that teams have opened onto their work.',
    url: 'https://weekly.example/41',
    publishedAt: at(before(6, 8)),
    discoveredAt: at(before(6, 7)),
    provenance: {
      source: 'Widget Weekly',
      sourceKind: 'community-feed',
      sourceUrl: 'https://weekly.example/feed.xml',
      publishedAt: at(before(6, 8)),
      observedAt: at(before(6, 7)),
      confidence: 'medium',
      isOfficialSource: false,
    },
  });
  [
    [
      'changelog',
      'widget-2-4',
      'acme/widget',
      'Widget 2.4',
      'Cursor paging is stable under inserts.',
      '2.4.0',
      [
        { type: 'added', text: 'JSON Feed for releases' },
        { type: 'fixed', text: 'Duplicate rows while paging' },
      ],
    ],
    ['help', 'reading-the-status-page', null, 'Reading the status page', 'What each word on the status page means.', null, []],
    ['article', 'one-window', null, 'One window onto our work', 'Why everything we ship can be seen here.', null, []],
    ['help', 'search-like-a-pro', 'acme/gadget', 'Searching by the first letters', 'The last word of a search may be unfinished.', null, []],
  ].forEach(([articleKind, id, repository, title, summary, version, changes], i) => {
    const url = repository === null ? `${SITE}/articles/${id}` : `${CODE}/${repository}/blob/main/docs/${id}.md`;
    add({
      kind: 'article',
      id,
      repository,
      articleKind,
      title,
      summary,
      body: `## ${title}\n\n${summary}${id === STATES.articleId ? `\n\n${SHOWN_STATES}` : ''}`,
      bodyFormat: 'markdown',
      url,
      language: 'en',
      tags: [articleKind, i % 2 === 0 ? 'api' : 'status'],
      authorName: pick(PEOPLE)[0],
      version,
      changes,
      publishedAt: at(before(i * 15 + 3, 2)),
      updatedAt: null,
      sourceUrl: url,
      provenance: official(repository === null ? 'Acme' : 'Acme Code', url),
    });
  });
  add({
    kind: 'image',
    repository: null,
    ...STATES,
    publishedAt: at(before(18, 2)),
    provenance: official('Acme', `${SITE}/articles/${STATES.articleId}`),
  });
  [
    ['widget-tour', 'Widget 2.4 in five minutes', 'acme/widget', 301],
    ['uptime-talk', 'Counting uptime honestly (talk)', null, 1_512],
  ].forEach(([id, title, repository, durationSeconds], i) => {
    const url = `https://video.acme.example/watch/${id}`;
    add({
      kind: 'video',
      id: `vid_${id}`,
      repository,
      title,
      description: 'Recorded at the weekly demo.',
      platform: 'peertube',
      channelName: 'Acme',
      url: repository === null ? url : `${CODE}/${repository}/wiki/${id}`,
      embedUrl: null,
      thumbnailUrl: null,
      durationSeconds,
      language: 'en',
      tags: ['demo'],
      publishedAt: at(before(20 + i * 12)),
      discoveredAt: at(before(20 + i * 12) + 20 * MINUTE),
      sourceUrl: repository === null ? url : `${CODE}/${repository}`,
      provenance: official('Acme Videos', 'https://video.acme.example/feed.xml'),
    });
  });
}

/** Two incidents, told in days before the anchor. */
const CERTIFICATE = { from: before(41, 7), outageUntil: before(41, 4), until: before(41, 2), word: 'tls' };
const BUILDS_DOWN = { from: before(5, 6), outageUntil: before(5, 2), until: before(5, 2), word: 'refused' };
const SLOW_DISK = { from: before(12, 18), outageUntil: before(12, 18), until: before(12, 9) };

const SERVICES = [
  {
    key: 'acme:widget-api',
    name: 'Widget API',
    group: 'Product',
    order: 2,
    healthUrl: 'https://widget.acme.example/health',
    interval: HOUR,
    usual: 120,
    incidents: [CERTIFICATE, SLOW_DISK],
  },
  {
    key: 'acme:website',
    name: 'Website',
    group: 'Product',
    order: 1,
    healthUrl: `${SITE}/health`,
    interval: HOUR,
    usual: 60,
    incidents: [CERTIFICATE],
  },
  {
    key: 'acme:builds',
    name: 'Build farm',
    group: 'Build and delivery',
    order: 3,
    healthUrl: 'https://builds.acme.example/health',
    interval: 2 * HOUR,
    usual: 240,
    incidents: [BUILDS_DOWN],
  },
];

const probe = (healthUrl) => ({
  source: 'Acme probe',
  sourceKind: 'confirmed-from-source',
  sourceUrl: healthUrl,
  confidence: 'high',
  isOfficialSource: true,
});

/** What a probe finds: the state of the service, and its word for it. */
function foundAt(time, incidents) {
  const incident = incidents.find(({ from: start, until }) => time >= start && time < until);
  if (incident === undefined) return { state: 'operational', rawState: 'http 200' };
  return time < incident.outageUntil ? { state: 'outage', rawState: incident.word } : { state: 'degraded', rawState: 'http 200' };
}

function checks() {
  for (const { key, name, group, order, healthUrl, interval, usual, incidents } of SERVICES) {
    const first = before(90) + interval;
    const provenance = { ...probe(healthUrl), observedAt: at(ANCHOR) };
    add({ kind: 'service', key, displayName: name, healthUrl, group, order, firstSeenAt: at(first), provenance });
    for (let time = first; time <= ANCHOR; time += interval) {
      const { state, rawState } = foundAt(time, incidents);
      const slow = state === 'degraded' ? 9 : 1;
      const responseTimeMs = state === 'outage' ? null : Math.round(usual * slow * (0.8 + 0.5 * chance()));
      add({
        kind: 'check',
        serviceKey: key,
        state,
        rawState,
        checkedAt: at(time),
        responseTimeMs,
        validForMs: 3 * interval,
        provenance: probe(healthUrl),
      });
    }
  }
}

/** Counts of days whose checks have gone: the service is older than what raw checks reach back to. */
function oldDays() {
  for (let days = 418; days >= 412; days--) {
    const day = Math.floor(before(days) / DAY) * DAY;
    const count = from(21, 24);
    add({
      kind: 'status-day',
      serviceKey: 'acme:website',
      date: at(day).slice(0, 10),
      checks: { operational: count, degraded: 24 - count, outage: 0, maintenance: 0, unknown: 0 },
      coveredMs: DAY,
      latency: { buckets: [[44, 24]], max: 66 },
      firstCheckedAt: at(day),
      lastCheckedAt: at(day + 23 * HOUR),
      coveredUntil: at(day + 26 * HOUR),
    });
  }
}

/** What Vitrine itself stores about an outage that the checks show. Returns the id. */
function detected(key, { from: start, outageUntil: end }) {
  const { name, interval } = SERVICES.find((service) => service.key === key);
  const id = `detected:${key}:${at(start).replaceAll(/[-:]|\.000/g, '')}`;
  const confirmingChecks = (end - start) / interval;
  const text = `The outage ended after ${(end - start) / HOUR} hours. ${confirmingChecks} checks confirmed it.`;
  add({
    kind: 'incident',
    id,
    title: `Outage of ${name}`,
    incidentKind: 'detected',
    state: 'resolved',
    impact: 'major',
    services: [{ key, displayName: name, impacts: [{ state: 'outage', startAt: at(start), endAt: at(end) }] }],
    startedAt: at(start),
    updatedAt: at(end),
    resolvedAt: at(end),
    scheduledFor: null,
    scheduledUntil: null,
    announcedAt: null,
    updates: [
      { id: `${id}~2`, state: 'resolved', body: text, createdAt: at(end) },
      { id: `${id}~1`, state: 'investigating', body: 'Checks found that the service is down.', createdAt: at(start) },
    ],
    sourceUrl: null,
    provenance: {
      source: 'vitrine',
      sourceKind: 'service-interpretation',
      sourceUrl: 'https://status.acme.example/',
      observedAt: at(end),
      confidence: 'high',
      isOfficialSource: true,
    },
    confirmingChecks,
    endUncertain: false,
  });
  return id;
}

function incidents() {
  const affected = (key, impacts) => ({ key, displayName: SERVICES.find((service) => service.key === key).name, impacts });
  const span = (state, start, end) => ({ state, startAt: at(start), endAt: at(end) });
  const update = (id, number, state, body, time) => ({ id: `${id}~${number}`, state, body, createdAt: at(time) });
  const common = { scheduledFor: null, scheduledUntil: null, announcedAt: null };
  const url = 'https://status.acme.example/';

  const expired = 'inc_expired-certificate';
  add({
    kind: 'incident',
    id: expired,
    title: 'Expired certificate',
    incidentKind: 'declared',
    state: 'postmortem',
    impact: 'critical',
    services: ['acme:widget-api', 'acme:website'].map((key) =>
      affected(key, [span('outage', CERTIFICATE.from, CERTIFICATE.outageUntil), span('degraded', CERTIFICATE.outageUntil, CERTIFICATE.until)]),
    ),
    startedAt: at(CERTIFICATE.from),
    updatedAt: at(CERTIFICATE.until + DAY),
    resolvedAt: at(CERTIFICATE.until),
    ...common,
    updates: [
      update(
        expired,
        3,
        'postmortem',
        'Renewal now starts 30 days before a certificate ends, and a check watches the date.',
        CERTIFICATE.until + DAY,
      ),
      update(expired, 2, 'resolved', 'The new certificate is in place everywhere.', CERTIFICATE.until),
      update(expired, 1, 'investigating', 'Requests fail because a certificate has expired.', CERTIFICATE.from + 20 * MINUTE),
    ],
    sourceUrl: null,
    provenance: official('Acme operations', url),
    covers: [detected('acme:website', CERTIFICATE), detected('acme:widget-api', CERTIFICATE)],
  });
  detected('acme:builds', BUILDS_DOWN);

  const disk = 'inc_slow-disk';
  add({
    kind: 'incident',
    id: disk,
    title: 'Slow answers of the Widget API',
    incidentKind: 'declared',
    state: 'resolved',
    impact: 'minor',
    services: [affected('acme:widget-api', [span('degraded', SLOW_DISK.from, SLOW_DISK.until)])],
    startedAt: at(SLOW_DISK.from),
    updatedAt: at(SLOW_DISK.until),
    resolvedAt: at(SLOW_DISK.until),
    ...common,
    updates: [
      update(disk, 2, 'resolved', 'A failing disk was replaced.', SLOW_DISK.until),
      update(disk, 1, 'identified', 'One disk answers slowly; its data are being moved.', SLOW_DISK.from + HOUR),
    ],
    sourceUrl: null,
    provenance: official('Acme operations', url),
  });

  const upgrade = 'inc_database-upgrade';
  add({
    kind: 'incident',
    id: upgrade,
    title: 'Database upgrade',
    incidentKind: 'maintenance',
    state: 'scheduled',
    impact: 'maintenance',
    services: [affected('acme:widget-api', [])],
    startedAt: at(ANCHOR + 6 * DAY),
    updatedAt: at(before(2)),
    resolvedAt: null,
    scheduledFor: at(ANCHOR + 6 * DAY),
    scheduledUntil: at(ANCHOR + 6 * DAY + 2 * HOUR),
    announcedAt: at(before(2)),
    updates: [update(upgrade, 1, 'scheduled', 'The API will be read from a copy for two hours.', before(2))],
    sourceUrl: null,
    provenance: official('Acme operations', url),
  });
}

for (const { name, description, language } of REPOSITORIES) {
  add({
    kind: 'repository',
    fullName: name,
    defaultBranch: 'main',
    description,
    language,
    lastSyncedAt: at(ANCHOR - 5 * MINUTE),
    provenance: official('Acme Code', `${CODE}/${name}`),
  });
}
for (const [index, repository] of REPOSITORIES.entries()) {
  const shas = commitsOf(repository.name, [48, 36, 12][index]);
  releasesOf(repository);
  if (index === 2) continue;
  findingsOf(repository.name, shas);
  workOf(repository.name, shas);
  if (index === 0) retractedFinding(repository.name, shas[3]);
}
missions();
content();
checks();
oldDays();
incidents();
lines.push(...providerLines(before(89, 12), ANCHOR));

/** What a source left behind that ran just now. */
function sync(sourceType, label, feeds, repository = null) {
  add({ kind: 'sync', repository, id: `${sourceType}:${label}`, sourceType, label, feeds, lastSuccessAt: at(ANCHOR), intervalMs: 8 * HOUR });
}
for (const { name } of REPOSITORIES) {
  sync('gitea', name, ['repository', 'release', 'build', 'mission'], name);
  sync('git', name, ['repository', 'commit', 'release'], name);
  sync('finding', name, ['finding'], name);
}
sync('changelog', 'acme/widget', ['article'], 'acme/widget');
sync('article', 'Acme', ['article']);
sync('feed', 'Acme Blog', ['news']);
sync('feed', 'Widget Weekly', ['news']);
sync('video', 'Acme Videos', ['video']);
for (const { key } of SERVICES) sync('probe', key, ['check']);
sync('statuspage', PROVIDER, ['check', 'incident']);
sync('incident', 'Acme operations', ['incident']);
sync('records', 'Acme', ['mission']);

/** The text of the file. */
export const demo = `${lines.join('\n')}\n`;

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(process.argv[2] ?? new URL('demo.ndjson', import.meta.url), demo);
