import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { demo as generated } from '../../../../../examples/generate-demo.mjs';
import { loadConfig } from '../../configuration/load-config.js';
import {
  Allowlist,
  ARTICLE_KINDS,
  DAY,
  detectedOutages,
  formatInstant,
  INCIDENT_KINDS,
  MINUTE,
  SYNCED_KINDS,
  timeOf,
  type Check,
  type StoredRecord,
} from '@vitrine/core';
import { FakeStore } from '../../testing/fake-store.js';
import { importRecords } from './import-records.js';
import { RECORD_KINDS } from './decode-line.js';
import { loadDemo } from './load-demo.js';

const ROOT = join(__dirname, '../../../../..');
const DEMO = join(ROOT, 'examples/demo.ndjson');
const NOW = Date.UTC(2027, 4, 3, 7, 31, 12, 345);
const demo = loadDemo(DEMO, NOW);

async function imported(file: string): Promise<readonly StoredRecord[]> {
  const writer = new FakeStore();
  const problems: string[] = [];
  await importRecords({
    file: join(ROOT, file),
    approved: Allowlist.of('acme/widget').approved(),
    writer,
    clock: { now: () => NOW },
    signal: new AbortController().signal,
    onProblem: (problem) => problems.push(problem),
  });
  expect(problems).toEqual([]);
  return writer.all;
}

describe('examples/records.ndjson', () => {
  it('has one record of each kind, in the order of an export', async () => {
    const records = await imported('examples/records.ndjson');
    expect(records.map((record) => record.kind).sort()).toEqual([...RECORD_KINDS].sort());
    const lines = readFileSync(join(ROOT, 'examples/records.ndjson'), 'utf8').trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { kind: string }).kind)).toEqual(RECORD_KINDS);
  });
});

describe('examples/demo.ndjson', () => {
  it('has ids of detected incidents that name their start, and covers them by these ids', async () => {
    const incidents = (await demo).records.flatMap((record) => (record.kind === 'incident' ? [record] : []));
    const detected = incidents.filter(({ incidentKind }) => incidentKind === 'detected');
    expect(detected.map(({ id }) => id)).toEqual(
      detected.map(({ services, startedAt }) => `detected:${String(services[0]?.key)}:${formatInstant(startedAt).replaceAll(/[-:]|\.000/g, '')}`),
    );
    const covered = incidents.flatMap(({ covers = [] }) => covers);
    expect(covered.length).toBeGreaterThan(0);
    expect(detected.map(({ id }) => id)).toEqual(expect.arrayContaining(covered));
  });

  it('is what its generator writes', () => {
    expect(readFileSync(DEMO, 'utf8') === generated).toBe(true);
  });

  it('has every kind and is at most 2 MB', async () => {
    const { records } = await demo;
    expect(new Set(records.map((record) => record.kind))).toEqual(new Set(RECORD_KINDS));
    expect(readFileSync(join(ROOT, 'examples/demo.ndjson')).length).toBeLessThanOrEqual(2 * 1_024 * 1_024);
  });

  it('has every word that a visitor can filter findings, articles and incidents by, and a source for each kind', async () => {
    const { records } = await demo;
    const words = (of: (record: StoredRecord) => string | readonly string[] | null) => new Set(records.flatMap((record) => of(record) ?? []));
    expect(words((record) => (record.kind === 'finding' ? record.status : null))).toEqual(
      new Set(['EXPERIMENTAL', 'CONFIRMED', 'RELEASED', 'RETRACTED']),
    );
    expect(words((record) => (record.kind === 'article' ? record.articleKind : null))).toEqual(new Set(ARTICLE_KINDS));
    expect(words((record) => (record.kind === 'incident' ? record.incidentKind : null))).toEqual(new Set(INCIDENT_KINDS));
    expect(words((record) => (record.kind === 'sync' ? record.feeds : null))).toEqual(new Set(SYNCED_KINDS));
    expect(words((record) => (record.kind === 'news' ? record.provenance.sourceKind : null))).toEqual(new Set(['official-source', 'community-feed']));
  });

  it('has a provider, as the source of its status page would record it', async () => {
    const { records } = await demo;
    const provided = records.filter((record) => 'provenance' in record && record.provenance.source === 'Relay');
    const services = provided.flatMap((record) => (record.kind === 'service' ? [record] : []));
    expect(services.map(({ key, displayName, dependency }) => [key, displayName, dependency])).toEqual([
      ['relay:6zq1mk0fd2wp', 'Relay: Outgoing mail', true],
      ['relay:9hd4xw7tb5vn', 'Relay: Webhooks', true],
    ]);
    const checks = provided.flatMap((record) => (record.kind === 'check' ? [`${record.state} ${record.rawState}`] : []));
    expect(new Set(checks)).toEqual(new Set(['operational operational', 'degraded partial_outage']));
    const incidents = provided.flatMap((record) => (record.kind === 'incident' ? [record] : []));
    expect(incidents.map(({ incidentKind, updates }) => [incidentKind, ...updates.map(({ state }) => state)])).toEqual([
      ['declared', 'resolved', 'monitoring', 'identified', 'investigating'],
      ['maintenance', 'scheduled'],
    ]);
    expect(incidents.map(({ sourceUrl }) => sourceUrl)).toEqual(['https://relay.example/s/n7c2q9', 'https://relay.example/s/w5t8ce']);
    const sync = records.find((record) => record.kind === 'sync' && record.sourceType === 'statuspage');
    expect(sync).toMatchObject({ id: 'statuspage:Relay', feeds: ['check', 'incident'], lastSuccessAt: NOW });
  });

  it('ends now when it is loaded as demo data', async () => {
    const { approved, records } = await demo;
    expect(approved.map((entry) => entry.fullName)).toEqual(['acme/widget', 'acme/gadget', 'acme/handbook']);
    const checks = records.filter((record): record is Check => record.kind === 'check');
    const times = checks.map((check) => check.checkedAt);
    expect(Math.max(...times)).toBe(NOW);
    expect(NOW - Math.min(...times)).toBeGreaterThan(89 * DAY);
    for (const record of records) if (record.kind === 'commit' || record.kind === 'release') expect(timeOf(record)).toBeLessThanOrEqual(NOW);
    expect(records.find((record) => record.kind === 'sync')).toMatchObject({ lastSuccessAt: NOW });
  });

  it('keeps the counts of past days on whole days', async () => {
    const { records } = await demo;
    const days = records.filter((record) => record.kind === 'status-day');
    expect(days.length).toBeGreaterThan(0);
    for (const day of days) {
      expect(day.day % DAY).toBe(0);
      expect(NOW - day.day).toBeGreaterThan(401 * DAY);
    }
  });

  it('has the detected incidents that its checks show', async () => {
    const { records } = await demo;
    const keys = [...new Set(records.flatMap((record) => (record.kind === 'check' ? [record.serviceKey] : [])))];
    const found = keys.flatMap((key) => {
      const outages = detectedOutages(
        records.filter((record): record is Check => record.kind === 'check' && record.serviceKey === key),
        NOW,
      );
      return outages.map(({ startAt, endAt, confirmingChecks, endUncertain }) => ({ key, startAt, endAt, confirmingChecks, endUncertain }));
    });
    const shown = records.flatMap((record) =>
      record.kind !== 'incident' || record.incidentKind !== 'detected'
        ? []
        : [
            {
              key: record.services[0]?.key,
              startAt: record.startedAt,
              endAt: record.resolvedAt,
              confirmingChecks: record.confirmingChecks,
              endUncertain: record.endUncertain,
            },
          ],
    );
    expect(new Set(shown)).toEqual(new Set(found));
    expect(shown).toHaveLength(3);
    const covered = records.flatMap((record) => (record.kind === 'incident' ? (record.covers ?? []) : []));
    expect(covered).toHaveLength(2);
  });

  it('shows its incidents in the checks', async () => {
    const { records } = await demo;
    const declared = records.filter((record) => record.kind === 'incident' && record.incidentKind === 'declared');
    expect(declared).toHaveLength(3);
    for (const incident of declared) {
      if (incident.kind !== 'incident') continue;
      for (const { key, impacts } of incident.services) {
        for (const { state, startAt, endAt } of impacts) {
          const seen = records.filter(
            (record) => record.kind === 'check' && record.serviceKey === key && record.checkedAt >= startAt && record.checkedAt < (endAt ?? NOW),
          );
          expect(seen.length).toBeGreaterThan(0);
          expect(new Set(seen.map((check) => check.kind === 'check' && check.state))).toEqual(new Set([state]));
        }
      }
    }
  });

  it('has future times only for plans', async () => {
    const { records } = await demo;
    const planned = records.filter((record) => record.kind === 'incident' && record.startedAt > NOW + MINUTE);
    expect(planned).toHaveLength(2);
  });
});

describe('vitrine.yaml', () => {
  it('shows Vitrine itself', () => {
    const config = loadConfig({ text: readFileSync(join(ROOT, 'vitrine.yaml'), 'utf8'), file: 'vitrine.yaml', env: {} });
    expect(config).toMatchObject({
      store: { path: '.vitrine' },
      approved: [{ fullName: 'vitrine/vitrine' }],
      sources: [{ kind: 'git', location: '.', ref: 'vitrine/vitrine' }],
      services: [{ key: 'vitrine:api', check: 'self', intervalMs: 30_000 }],
    });
  });
});
