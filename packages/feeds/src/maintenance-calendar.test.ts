import { DAY, HOUR, MINUTE, type Incident } from '@vitrine/core';
import { anIncident, NOW } from '@vitrine/core/testing';
import { sync, type VEvent } from 'node-ical';
import type { EntryLinks } from './entries.js';
import { maintenanceCalendar } from './maintenance-calendar.js';

const url = 'https://status.acme.example/feeds/maintenance.ics';
const links: EntryLinks = {
  record: (type, id) => `https://status.acme.example/api/v1/${type}/${encodeURIComponent(id)}`,
  page: (_type, id) => `https://status.acme.example/status/incidents/${encodeURIComponent(id)}`,
};

function maintenance(over: Partial<Incident> = {}): Incident {
  return anIncident({
    id: 'mnt_1',
    title: 'Database upgrade',
    incidentKind: 'maintenance',
    state: 'scheduled',
    impact: 'maintenance',
    startedAt: NOW + DAY,
    scheduledFor: NOW + DAY,
    scheduledUntil: NOW + DAY + 2 * HOUR,
    announcedAt: NOW - DAY,
    updatedAt: NOW - HOUR,
    resolvedAt: null,
    updates: [{ id: 'u1', state: 'scheduled', body: 'Reads go on; writes wait, for a minute.', createdAt: NOW - HOUR }],
    ...over,
  });
}

const written = (...incidents: readonly Incident[]): string =>
  maintenanceCalendar({ title: 'Acme: maintenance', url, maintenance: incidents }, links);
const eventsOf = (text: string): readonly VEvent[] => Object.values(sync.parseICS(text)).filter((part): part is VEvent => part?.type === 'VEVENT');

function eventOf(incident: Incident): VEvent {
  const [event, ...others] = eventsOf(written(incident));
  if (event === undefined || others.length > 0) throw new Error('not exactly one event');
  return event;
}

/** A property as it is written. */
const property = (incident: Incident, name: string): string | undefined => new RegExp(`^${name}:(.*)$`, 'm').exec(written(incident))?.[1]?.trim();

describe('a calendar of maintenance', () => {
  it('names services and states in German if it is told to', () => {
    const services = [{ key: 'web', displayName: 'Web', impacts: [] }];
    const calendar = { title: 'Acme: Wartung', language: 'de', url, maintenance: [maintenance({ services })] } as const;
    const [event] = eventsOf(maintenanceCalendar(calendar, links));
    expect(event?.description).toMatch(/^Dienste: Web\n\n.* UTC, geplant: Reads go on/);
  });

  it('is read by another reader, with its times, texts and address', () => {
    const event = eventOf(maintenance());
    expect({
      start: event.start.getTime(),
      end: event.end?.getTime(),
      stamp: event.dtstamp.getTime(),
      changed: event.lastmodified.getTime(),
    }).toEqual({
      start: NOW + DAY,
      end: NOW + DAY + 2 * HOUR,
      stamp: NOW - HOUR,
      changed: NOW - HOUR,
    });
    expect([event.uid, event.summary, event.status]).toEqual(['mnt_1@status.acme.example', 'Database upgrade', 'CONFIRMED']);
    expect(event.description).toContain('Reads go on; writes wait, for a minute.');
    expect(property(maintenance(), 'URL;VALUE=URI')).toBe('https://status.acme.example/status/incidents/mnt_1');
  });

  it('keeps the identifier of a changed event, and raises its sequence', () => {
    const [before, after] = [maintenance(), maintenance({ scheduledFor: NOW + 2 * DAY, updatedAt: NOW })];
    expect(property(after, 'UID')).toBe(property(before, 'UID'));
    expect(Number(property(after, 'SEQUENCE'))).toBeGreaterThan(Number(property(before, 'SEQUENCE')));
    expect(Number(property(maintenance({ updatedAt: Date.UTC(2300, 0, 1) }), 'SEQUENCE'))).toBeLessThan(2 ** 31);
    expect(written(before)).toBe(written(maintenance()));
  });

  it('shows the real end of maintenance that is over', () => {
    const over = maintenance({ state: 'completed', scheduledFor: NOW - 2 * HOUR, scheduledUntil: NOW, resolvedAt: NOW - HOUR });
    expect([eventOf(over).end?.getTime(), eventOf(over).status]).toEqual([NOW - HOUR, 'CONFIRMED']);
  });

  it('cancels maintenance that was over before it was to begin', () => {
    const event = eventOf(maintenance({ state: 'completed', resolvedAt: NOW - MINUTE }));
    expect([event.status, event.end?.getTime()]).toEqual(['CANCELLED', NOW + DAY + 2 * HOUR]);
  });

  it('has no end where nobody knows it, or where it is not after the start', () => {
    expect(written(maintenance({ scheduledUntil: null }))).not.toContain('DTEND');
    expect(written(maintenance({ scheduledUntil: NOW }))).not.toContain('DTEND');
  });

  it('lists events by their start', () => {
    const text = written(maintenance({ id: 'b', scheduledFor: NOW + 3 * DAY }), maintenance({ id: 'a', scheduledFor: NOW + DAY }));
    expect([...text.matchAll(/^UID:(\w)@/gm)].map(([, id]) => id)).toEqual(['a', 'b']);
  });

  it('is a valid calendar without events', () => {
    expect(written()).toMatch(/^BEGIN:VCALENDAR\r\nVERSION:2\.0\r\nPRODID:-\/\/Vitrine\/\/Maintenance\/\/EN\r\n[\s\S]*END:VCALENDAR\r\n$/);
    expect(eventsOf(written())).toEqual([]);
  });

  it.each([
    'Ends\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nSUMMARY:injected',
    'a\u0000b\u0007c\u007Fd\uD800',
    'commas, semicolons; back\\slashes: "quotes"',
    '🚀'.repeat(500),
    '\u202Eright to left',
    '',
  ])('holds the text %j as text', (text) => {
    const hostile = maintenance({
      title: text,
      updates: [{ id: 'u1', state: 'scheduled', body: text, createdAt: NOW }],
      services: [{ key: 'a:b', displayName: text, impacts: [] }],
    });
    const calendar = maintenanceCalendar({ title: text, url, maintenance: [hostile] }, links);
    expect(eventsOf(calendar)).toHaveLength(1);
    for (const line of calendar.split('\r\n')) {
      expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
      expect(line).not.toMatch(/[\n\r\u0000-\u0008\u000B-\u001F\u007F]/);
    }
  });

  it('has the time and the state of an update without a text, and no colon', () => {
    const silent = maintenance({ updates: [{ id: 'u1', state: 'scheduled', body: '', createdAt: NOW }] });
    expect(maintenanceCalendar({ title: 'Acme', url, maintenance: [silent] }, links)).toMatch(/UTC\\, scheduled\r\n/);
  });
});
