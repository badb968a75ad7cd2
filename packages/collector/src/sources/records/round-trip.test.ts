import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  byKind,
  Allowlist,
  ARTICLE_CHANGE_TYPES,
  ARTICLE_KINDS,
  BODY_FORMATS,
  BUILD_STATES,
  DAY,
  FACTS,
  INCIDENT_IMPACTS,
  INCIDENT_KINDS,
  incidentStatesOf,
  MAX_RESPONSE_TIME_MS,
  MAX_VALIDITY_MS,
  SHORTEST_VALIDITY_MS,
  MISSION_STATUSES,
  SERVICE_STATES,
  SOURCE_TYPES,
  SYNCED_KINDS,
  publishableRecord,
  withoutEmail,
  type AnyField,
  type RepositoryRef,
  type StoredRecord,
} from '@vitrine/core';
import { isTorture } from '@vitrine/test-support';
import fc from 'fast-check';
import { anyText } from '../../../../../test/any-text.js';
import { FakeStore } from '../../testing/fake-store.js';
import { decodeLine, RECORD_KINDS } from './decode-line.js';
import { encodeLine } from './encode-line.js';
import { exportRecords } from './export-records.js';
import { importRecords } from './import-records.js';

const NOW = Date.UTC(2026, 10, 20, 12);
const signal = new AbortController().signal;

const instant = fc.integer({ min: Date.UTC(1969, 0, 1), max: Date.UTC(2200, 0, 1) });
const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
// Texts that the rule for e-mail addresses does not change, because stored texts have already passed it.
const text = fc
  .oneof(
    fc.string({ unit: 'grapheme', maxLength: 40 }),
    anyText({ maxLength: 20 }),
    fc.constantFrom('line\nfeed', 'tab\t\u2028', '', ' ', '\0', '\ufeff'),
  )
  .map(cleaned);
const title = text.filter((value) => value !== '');
const word = fc.stringMatching(/^[A-Za-z0-9_.:-]{1,20}$/);
// An id with an @ may name another repository, or be an e-mail address.
const id = fc.stringMatching(/^[!-?A-~]{1,40}$/).filter((value) => !/^\.{1,2}$/.test(value));
const key = fc.tuple(word, word).map(([a, b]) => `${a}:${b}`.slice(0, 64));
const sha = fc.oneof(fc.stringMatching(/^[0-9a-f]{40}$/), fc.stringMatching(/^[0-9a-f]{64}$/));
// An address by fast-check itself takes a second to prepare.
const url = fc
  .tuple(
    fc.constantFrom('http', 'https'),
    fc.domain(),
    fc.stringMatching(/^(\/([A-Za-z0-9._~!$&'()*+,;=:-]|%[0-9A-F]{2}){0,8}){0,3}(\?[a-z0-9=&%/?-]{0,20})?$/),
  )
  .map(([scheme, host, rest]) => `${scheme}://${host}${rest}`);
const count = fc.nat();
const part = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,20}$/);
const fullName = fc.tuple(part, part).map(([owner, name]) => ({ fullName: `${owner}/${name}`, owner, name }));
const ref = fc
  .tuple(fullName, orNull(fc.stringMatching(/^[A-Za-z0-9_.:=-]{1,20}$/)))
  .map(([name, forge]): RepositoryRef => `${name.fullName.toLowerCase() as RepositoryRef}${forge === null ? '' : `#${forge}`}` as RepositoryRef);
const scope = fc.oneof(ref, fc.constant('-' as const));
const provenance = fc.record(
  { source: title, sourceKind: word, sourceUrl: url, observedAt: instant, publishedAt: instant, confidence: word, isOfficialSource: fc.boolean() },
  { requiredKeys: ['source', 'sourceKind', 'sourceUrl', 'observedAt', 'confidence', 'isOfficialSource'] },
);
const state = fc.constantFrom(...SERVICE_STATES);
const few = <T>(item: fc.Arbitrary<T>) => fc.array(item, { maxLength: 3 });
const kind = <K extends string>(name: K) => fc.constant(name);

const statusDay = fc
  .record({
    kind: kind('status-day'),
    serviceKey: key,
    day: fc.integer({ min: 0, max: 30_000 }).map((days) => days * DAY),
    counts: fc.record({ operational: count, unknown: count, maintenance: count, degraded: count, outage: count }),
    coveredMs: fc.integer({ min: 0, max: DAY }),
    outageMs: orNull(fc.integer({ min: 0, max: DAY })),
    degradedMs: orNull(fc.integer({ min: 0, max: DAY })),
    latency: fc.record({
      buckets: few(fc.tuple(fc.integer({ min: 0, max: 200 }), fc.integer({ min: 1, max: 1e6 }))),
      max: fc.integer({ min: 0, max: MAX_RESPONSE_TIME_MS }),
    }),
    first: fc.integer({ min: 0, max: DAY - 1 }),
    coveredFor: fc.integer({ min: 0, max: MAX_VALIDITY_MS }),
  })
  .map(({ first, coveredFor, ...day }) => {
    const lastCheckedAt = day.day + DAY - 1;
    const without = { changedAt: lastCheckedAt, claims: [], hours: [] };
    return { ...day, ...without, firstCheckedAt: day.day + first, lastCheckedAt, coveredUntil: lastCheckedAt + coveredFor };
  });

const KINDS: Record<StoredRecord['kind'], fc.Arbitrary<StoredRecord>> = {
  repository: fc
    .record({
      kind: kind('repository'),
      name: fullName,
      forge: orNull(fc.nat()),
      defaultBranch: orNull(text),
      description: text,
      language: text,
      lastSyncedAt: instant,
      provenance,
    })
    .map(({ name, forge, ...rest }) => ({
      ...rest,
      ...name,
      repositoryRef: `${name.fullName.toLowerCase()}${forge === null ? '' : `#${String(forge)}`}` as RepositoryRef,
    })),
  commit: fc.record({
    kind: kind('commit'),
    repositoryRef: ref,
    sha,
    title: text,
    description: text,
    authorName: text,
    authorLogin: text,
    branch: orNull(text),
    additions: count,
    deletions: count,
    filesChanged: count,
    changeType: orNull(word),
    committedAt: instant,
    changedPaths: few(text),
    provenance,
  }),
  image: fc.record({
    kind: kind('image'),
    repositoryRef: ref,
    id,
    articleId: id,
    data: fc.base64String({ minLength: 4 }),
    publishedAt: instant,
    provenance,
  }),
  release: fc.record({
    kind: kind('release'),
    repositoryRef: ref,
    id,
    tagName: fc.stringMatching(/^[!-~]{1,20}$/),
    name: text,
    body: text,
    platform: orNull(word),
    releaseType: word,
    publishedAt: instant,
    sourceUrl: url,
    assets: few(fc.record({ name: text, platform: orNull(word), size: orNull(count), url })),
    provenance,
  }),
  finding: fc.record({
    kind: kind('finding'),
    repositoryRef: ref,
    id,
    title,
    summary: text,
    status: word,
    changeType: word,
    evidence: fc.record(
      { branch: text, additions: count, deletions: count, files: few(text), commitSha: sha },
      { requiredKeys: ['branch', 'additions', 'deletions', 'files'] },
    ),
    detectedAt: instant,
    sourceUrl: url,
    provenance,
  }),
  build: fc.record(
    {
      kind: kind('build'),
      repositoryRef: ref,
      id,
      name: title,
      number: orNull(count),
      state: fc.constantFrom(...BUILD_STATES),
      trigger: orNull(text),
      branch: orNull(text),
      commitSha: sha,
      platform: orNull(word),
      version: orNull(text),
      startedAt: orNull(instant),
      finishedAt: orNull(instant),
      durationSeconds: orNull(count),
      url,
      provenance,
    },
    {
      requiredKeys: [
        'kind',
        'repositoryRef',
        'id',
        'name',
        'number',
        'state',
        'trigger',
        'branch',
        'platform',
        'version',
        'startedAt',
        'finishedAt',
        'durationSeconds',
        'url',
        'provenance',
      ],
    },
  ),
  mission: fc.record({
    kind: kind('mission'),
    repositoryRef: scope,
    id,
    title,
    summary: text,
    status: fc.constantFrom(...MISSION_STATUSES),
    progress: fc.record({ completed: count, total: count, percent: fc.integer({ min: 0, max: 100 }) }),
    labels: few(text),
    createdAt: instant,
    startedAt: orNull(instant),
    targetAt: orNull(instant),
    completedAt: orNull(instant),
    url,
    provenance,
  }),
  news: fc.record(
    { kind: kind('news'), id, source: title, title, summary: text, url, publishedAt: instant, discoveredAt: instant, listedAt: instant, provenance },
    { requiredKeys: ['kind', 'id', 'source', 'title', 'summary', 'url', 'discoveredAt', 'listedAt', 'provenance'] },
  ),
  article: fc.record({
    kind: kind('article'),
    repositoryRef: scope,
    id,
    articleKind: fc.constantFrom(...ARTICLE_KINDS),
    title,
    summary: text,
    body: text,
    bodyFormat: fc.constantFrom(...BODY_FORMATS),
    url,
    language: word,
    tags: few(text),
    authorName: orNull(text),
    version: orNull(text),
    changes: few(fc.record({ type: fc.constantFrom(...ARTICLE_CHANGE_TYPES), text })),
    publishedAt: instant,
    updatedAt: orNull(instant),
    sourceUrl: url,
    provenance,
  }),
  video: fc.record({
    kind: kind('video'),
    repositoryRef: scope,
    id,
    title,
    description: text,
    platform: word,
    channelName: text,
    url,
    embedUrl: orNull(url),
    thumbnailUrl: orNull(url),
    durationSeconds: orNull(count),
    language: orNull(word),
    tags: few(text),
    publishedAt: instant,
    discoveredAt: instant,
    sourceUrl: url,
    provenance,
  }),
  service: fc.record(
    {
      kind: kind('service'),
      key,
      displayName: title,
      healthUrl: url,
      firstSeenAt: instant,
      provenance,
      dependency: fc.boolean(),
      group: word,
      order: fc.integer({ min: 0, max: 10_000 }),
    },
    { requiredKeys: ['kind', 'key', 'displayName', 'healthUrl', 'firstSeenAt', 'provenance'] },
  ),
  check: fc.record({
    kind: kind('check'),
    serviceKey: key,
    state,
    rawState: text,
    checkedAt: instant,
    responseTimeMs: orNull(fc.integer({ min: 0, max: MAX_RESPONSE_TIME_MS })),
    validForMs: fc.integer({ min: SHORTEST_VALIDITY_MS, max: MAX_VALIDITY_MS }),
    provenance,
  }),
  'status-day': statusDay,
  incident: fc.constantFrom(...INCIDENT_KINDS).chain((incidentKind) =>
    fc.record({
      kind: kind('incident'),
      id,
      title,
      incidentKind: fc.constant(incidentKind),
      state: fc.constantFrom(...incidentStatesOf(incidentKind)),
      impact: fc.constantFrom(...INCIDENT_IMPACTS),
      services: few(fc.record({ key, displayName: text, impacts: few(fc.record({ state, startAt: instant, endAt: orNull(instant) })) })),
      startedAt: instant,
      updatedAt: instant,
      resolvedAt: orNull(instant),
      scheduledFor: orNull(instant),
      scheduledUntil: orNull(instant),
      announcedAt: orNull(instant),
      updates: few(fc.record({ id, state: fc.constantFrom(...incidentStatesOf(incidentKind)), body: text, createdAt: instant })),
      sourceUrl: orNull(url),
      provenance,
      covers: fc.option(few(id), { nil: undefined }),
      confirmingChecks: fc.option(orNull(count), { nil: undefined }),
      endUncertain: fc.option(orNull(fc.boolean()), { nil: undefined }),
    }),
  ),
  sync: fc.record({
    kind: kind('sync'),
    id: title,
    repositoryRef: scope,
    feeds: fc.uniqueArray(fc.constantFrom(...SYNCED_KINDS)),
    sourceType: fc.constantFrom(...SOURCE_TYPES),
    label: title,
    firstAttemptAt: orNull(instant),
    lastAttemptAt: orNull(instant),
    lastSuccessAt: orNull(instant),
    lastFailureAt: orNull(instant),
    lastFailureCode: orNull(fc.constantFrom('ENOENT', 'FAILED')),
    intervalMs: fc.integer({ min: 10_000, max: DAY }),
    state: orNull(fc.json()),
  }),
};

function cleaned(value: string): string {
  for (let next = withoutEmail(value); next !== value; next = withoutEmail(value)) value = next;
  return value.slice(0, 255).replace(/\p{Surrogate}/gu, '');
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('a records file', () => {
  it('has a line format for every kind', () => {
    expect(Object.keys(KINDS).sort()).toEqual([...RECORD_KINDS].sort());
  });

  it('is tested with every field of every kind', () => {
    for (const [kind, fields] of Object.entries(byKind(({ fields }) => fields))) {
      const written = fc.sample(KINDS[kind as keyof typeof KINDS], 60).flatMap((record) => Object.keys(record));
      expect(Object.keys(fields).filter((name) => !written.includes(name))).toEqual([]);
    }
  });

  it.each(Object.entries(KINDS))('decodes a %s as it was encoded', (_, records) => {
    fc.assert(
      fc.property(records, (record) => {
        const refOf = () => 'another/one' as const;
        expect(decodeLine(encodeLine(record), { now: NOW, refOf })).toEqual({ type: 'record', record: plain(record) });
      }),
      { numRuns: isTorture ? 100 : 8 },
    );
  });

  it('that a store exported creates an equal store', async () => {
    await assertRestored(fc.array(fc.oneof(...Object.values(KINDS)), { maxLength: 40 }));
  });

  it('that a store exported creates an equal store if the texts that were put contained e-mail addresses', async () => {
    const kinds = Object.entries(FACTS).map(([kind, { fields }]) =>
      fc.tuple(KINDS[kind as keyof typeof FACTS], fc.array(mail, { minLength: 1, maxLength: 8 })).map(([record, texts]) => {
        let at = 0;
        const next = () => texts[at++ % texts.length] ?? '';
        const changed = Object.entries<AnyField>(fields).map(([name, field]) => [name, withTexts(field, Reflect.get(record, name), next)] as const);
        return { ...record, ...Object.fromEntries(changed) } as StoredRecord;
      }),
    );
    await assertRestored(fc.array(fc.oneof(...kinds), { minLength: 20, maxLength: 40 }));
  });
});

const mail = fc
  .array(
    fc.constantFrom('help@acme.example', '<ada@example.org>', '<@acme.example>', '._%@acme.example', `<${'㌀'.repeat(80)}@acme.example>`, ' ', 'Ada'),
    { minLength: 1, maxLength: 2 },
  )
  .map((pieces) => pieces.join(''));

/** The forms of texts that may contain an e-mail address. */
const FREE: readonly string[] = ['short', 'label', 'line', 'title', 'body', 'path', 'author', 'branch', 'requiredBranch'];

/** The value of a field with other free texts. */
function withTexts(field: AnyField, value: unknown, next: () => string): unknown {
  if (typeof value === 'string') return field.type === 'text' && FREE.includes(field.form) ? next() : value;
  if (Array.isArray(value) && field.type === 'list') return value.map((item) => withTexts(field.item, item, next));
  if (typeof value !== 'object' || value === null || field.type !== 'object') return value;
  const changed = Object.entries(field.fields).map(([name, inner]) => [name, withTexts(inner, Reflect.get(value, name), next)] as const);
  return Object.fromEntries(changed.filter(([name]) => name in value));
}

/** Puts the records into a store, exports it, and imports the file into another, which must then be equal. */
async function assertRestored(many: fc.Arbitrary<readonly StoredRecord[]>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-'));
  try {
    await fc.assert(
      fc.asyncProperty(many, async (records) => {
        const before = new FakeStore();
        const published = records.map((record) => publishableRecord(plain(record) as StoredRecord));
        await before.put(published.filter((record) => typeof record !== 'string'));
        const file = join(folder, 'export.ndjson');
        expect(await exportRecords({ file, collection: before, signal })).toBe(before.all.length);
        const after = new FakeStore();
        const problems: string[] = [];
        await importRecords({
          file,
          approved: Allowlist.of('acme/widget').approved(),
          admits: () => true,
          writer: after,
          clock: { now: () => NOW },
          signal,
          onProblem: (problem) => problems.push(problem),
        });
        expect(problems).toEqual([]);
        expect(after.all).toEqual(before.all);
      }),
      { numRuns: isTorture ? 200 : 6 },
    );
    expect(await readdir(folder)).toEqual(['export.ndjson']);
  } finally {
    await rm(folder, { recursive: true });
  }
}
