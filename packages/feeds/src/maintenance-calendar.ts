import { MINUTE, type Incident } from '@vitrine/core';
import ical, { ICalEventStatus, type ICalEventData } from 'ical-generator';
import { updateText, type EntryLinks } from './entries.js';
import { plainLine, plainText } from './plain-text.js';
import { FEED_WORDS, type FeedLanguage } from './words.js';

/** Planned maintenance as a calendar. */
export interface MaintenanceCalendar {
  readonly title: string;
  /** Default: English. Titles and updates of the maintenance stay as they are. */
  readonly language?: FeedLanguage;
  /** Where the calendar is published. Its host is in the identifiers of the events, because they must be unique in the world. */
  readonly url: string;
  /** Incidents of the kind `maintenance`, in any order. */
  readonly maintenance: readonly Incident[];
}

/** Writes a calendar (RFC 5545) with an event for each planned maintenance that has a planned or real start. */
export function maintenanceCalendar({ title, language = 'en', url, maintenance }: MaintenanceCalendar, links: EntryLinks): string {
  const { hostname } = new URL(url);
  const events = [...maintenance]
    .sort((a, b) => startOf(a) - startOf(b) || (a.id < b.id ? -1 : 1))
    .map((incident) => eventOf(incident, hostname, urlOf(incident, links), language));
  // The writer escapes all texts but this one, and ends all lines but the last one.
  const name = plainLine(allowed(title), 'Vitrine').replace(/[\\;,]/g, String.raw`\$&`);
  return `${ical({ name, prodId: { company: 'Vitrine', product: 'Maintenance' }, url, events }).toString()}\r\n`;
}

function startOf({ scheduledFor, startedAt }: Incident): number {
  return scheduledFor ?? startedAt;
}

function eventOf(incident: Incident, hostname: string, url: string, language: FeedLanguage): ICalEventData {
  const { id, title, updates, updatedAt, announcedAt, services } = incident;
  const end = endOf(incident);
  const concerned = services.map(({ displayName }) => displayName).join(', ');
  const lead = concerned === '' ? [] : [FEED_WORDS[language].services(concerned)];
  const description = [...lead, ...updates.map((update) => updateText(update, language))].join('\n\n');
  return {
    id: `${encodeURIComponent(id)}@${hostname}`,
    start: new Date(startOf(incident)),
    ...(end === null ? {} : { end: new Date(end) }),
    summary: plainLine(allowed(title), 'Maintenance'),
    description: allowed(description),
    url,
    stamp: new Date(updatedAt),
    lastModified: new Date(updatedAt),
    ...(announcedAt === null ? {} : { created: new Date(announcedAt) }),
    // Every change has a later time than the one before, so this grows. Minutes, because seconds are too large for readers with 32 bits after 2038.
    sequence: Math.floor(updatedAt / MINUTE),
    status: isCancelled(incident) ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
  };
}

/** When the maintenance ends, or ended; `null` if it is unknown or not after the start. */
function endOf(incident: Incident): number | null {
  const { scheduledUntil, resolvedAt } = incident;
  const end = isCancelled(incident) ? scheduledUntil : (resolvedAt ?? scheduledUntil);
  return end !== null && end > startOf(incident) ? end : null;
}

/** No state says that a maintenance does not take place: it is over before it was to begin. */
function isCancelled({ resolvedAt, scheduledFor }: Incident): boolean {
  return resolvedAt !== null && scheduledFor !== null && resolvedAt <= scheduledFor;
}

function urlOf({ id }: Incident, links: EntryLinks): string {
  return links.page('incident', id) ?? links.record('incident', id);
}

/** Calendars allow no control characters but tabs and line breaks. */
function allowed(text: string): string {
  return plainText(text).replaceAll('\u007F', '').trim();
}
