import fc from 'fast-check';
import type { StoredRecord } from '@vitrine/core';
import { hostileVariants } from '../../../test/hostile-json.js';
import { expectStorable } from '../../../test/stored-as-written.js';
import { DocumentError } from '../../running/source.js';
import { readIncidents, readSummary } from './statuspage-documents.js';
import { chosenComponents, componentRecords, incidentRecord, type StatuspageOrigin } from './statuspage-records.js';

const NOW = Date.UTC(2026, 10, 20, 15);
const RUNS = { numRuns: process.env['VITRINE_TORTURE'] === '1' ? 5_000 : 10 };
const ORIGIN: StatuspageOrigin = {
  label: 'Provider',
  address: 'https://status.provider.example',
  allowPrivate: false,
  pageUrl: 'https://status.provider.example',
  services: null,
  intervalMs: 60_000,
};

const component = (id: string, more = {}) => ({ id, name: `Part ${id}`, status: 'operational', group: false, ...more });
const update = (id: string) => ({ id, status: 'investigating', body: 'We <b>look</b>.', created_at: '2026-11-20T14:00:00Z', display_at: null });
const incident = (id: string, more = {}) => ({
  id,
  name: 'Errors',
  status: 'resolved',
  impact: 'major',
  created_at: '2026-11-20T14:00:00Z',
  updated_at: '2026-11-20T14:30:00Z',
  started_at: '2026-11-20T13:59:00Z',
  resolved_at: '2026-11-20T14:30:00Z',
  shortlink: 'https://stspg.example/abc',
  incident_updates: [update('u2'), update('u1')],
  components: [component('c1')],
  ...more,
});
const planned = {
  impact: 'maintenance',
  status: 'scheduled',
  scheduled_for: '2026-11-21T10:00:00Z',
  scheduled_until: '2026-11-21T11:00:00Z',
  resolved_at: null,
};
const SUMMARY = {
  page: { id: 'p', name: 'Provider', url: 'https://status.provider.example' },
  components: [component('c1', { status: 'partial_outage' }), component('c2'), component('g', { group: true })],
  incidents: [incident('i1'), incident('i2', { status: 'monitoring', resolved_at: null })],
  scheduled_maintenances: [incident('m1', planned)],
};

function recordsOf(json: unknown): readonly StoredRecord[] {
  const summary = readSummary(Buffer.from(JSON.stringify(json)));
  const { chosen } = chosenComponents(summary, ORIGIN);
  const shown = new Map(chosen.map((one) => [one.id, one]));
  const incidents = [...summary.incidents, ...summary.scheduled_maintenances].flatMap((one) => incidentRecord(one, shown, ORIGIN) ?? []);
  return [...chosen.flatMap((one) => componentRecords(one, ORIGIN, NOW)), ...incidents];
}

function expectDistinct(ids: readonly string[]): void {
  expect(new Set(ids).size).toBe(ids.length);
}

describe('hostile documents of a status page', () => {
  it('give good records, or one clear error', () => {
    expect(recordsOf(SUMMARY)).toHaveLength(7);
    fc.assert(
      fc.property(hostileVariants(SUMMARY), (json) => {
        let records: readonly StoredRecord[];
        try {
          records = recordsOf(json);
        } catch (error) {
          expect(error).toBeInstanceOf(DocumentError);
          return;
        }
        for (const record of records) expectStorable(record, NOW);
        expectDistinct(records.flatMap((record) => (record.kind === 'service' ? record.key : [])));
        expectDistinct(records.flatMap((record) => (record.kind === 'check' ? record.serviceKey : [])));
        for (const record of records) {
          if (record.kind !== 'incident') continue;
          expectDistinct(record.updates.map(({ id }) => id));
          expectDistinct(record.services.map(({ key }) => key));
          for (const { impacts } of record.services)
            for (const { startAt, endAt } of impacts) expect(endAt ?? startAt).toBeGreaterThanOrEqual(startAt);
          expect(record.resolvedAt ?? record.startedAt).toBeGreaterThanOrEqual(record.startedAt);
          if (record.scheduledFor !== null) expect(record.scheduledUntil ?? Infinity).toBeGreaterThan(record.scheduledFor);
        }
      }),
      RUNS,
    );
  });

  it('give lists of incidents, or nothing', () => {
    const list = { page: SUMMARY.page, incidents: SUMMARY.incidents };
    fc.assert(
      fc.property(hostileVariants(list), (json) => {
        const incidents = readIncidents(Buffer.from(JSON.stringify(json)), 'incidents') ?? [];
        for (const one of incidents) {
          const record = incidentRecord(one, new Map(), ORIGIN);
          if (record !== null) expectStorable(record, NOW);
        }
      }),
      RUNS,
    );
  });

  it.each([
    ['nothing', Buffer.from('')],
    ['half of a document', Buffer.from(JSON.stringify(SUMMARY).slice(0, 300))],
    ['UTF-16', Buffer.from(JSON.stringify(SUMMARY), 'utf16le')],
    ['ISO-8859-1', Buffer.from(JSON.stringify({ ...SUMMARY, page: { name: 'Café' } }), 'latin1')],
    ['levels without end', Buffer.from('{"page":'.repeat(200_000))],
    ['a list', Buffer.from('[]')],
  ])('are refused if they are %s', (_name, body) => {
    expect(() => readSummary(body)).toThrow(expect.objectContaining({ code: 'NOT_A_STATUS_PAGE' }));
  });

  it('may have a byte order mark', () => {
    expect(readSummary(Buffer.from(`\ufeff${JSON.stringify(SUMMARY)}`)).components).toHaveLength(3);
  });
});
