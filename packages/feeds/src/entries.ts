import type {
  Article,
  Commit,
  Finding,
  Incident,
  IncidentUpdate,
  Instant,
  News,
  Release,
  Video,
  WithOptionalRepository,
  WithRepository,
} from '@vitrine/core';
import { FEED_WORDS, type FeedLanguage } from './words.js';
import type { FeedEntry } from './feed.js';

/** The kinds of records that have a feed. */
export type FeedType = 'article' | 'commit' | 'finding' | 'incident' | 'news' | 'release' | 'video';

/** Absolute addresses of records. */
export interface EntryLinks {
  /** The record in the API. @param id the public id: `owner/name@sha` of a commit */
  readonly record: (type: FeedType, id: string) => string;
  /** The page of the record; `null` if there are no pages. */
  readonly page: (type: FeedType, id: string) => string | null;
}

type Described = Pick<FeedEntry, 'title' | 'text' | 'originUrl' | 'publishedAt'> & Partial<FeedEntry>;

/** @param described unless it says otherwise, without an author and tags, and never changed since */
function entryOf(links: EntryLinks, type: FeedType, id: string, described: Described): FeedEntry {
  const record = links.record(type, id);
  const originUrl = webAddress(described.originUrl ?? '');
  const url = links.page(type, id) ?? originUrl ?? record;
  return { authorName: null, updatedAt: described.publishedAt, tags: [], ...described, id: record, url, originUrl };
}

/**
 * An address as feeds may have it: what no address may have is percent-encoded. An address of another kind than those of web pages, such as `javascript:`, is left
 * out: some readers would follow it.
 */
function webAddress(text: string): string | null {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return null;
  if (ADDRESS.test(text)) return text;
  const { protocol, host, pathname, search, hash } = new URL(text);
  const [before, after] = [`${pathname}${search}`, hash.slice(1)].map((part) => part.replace(NOT_IN_ADDRESS, encodeURIComponent));
  return `${protocol}//${host}${before ?? ''}${after ? `#${after}` : ''}`;
}

/** RFC 3986. */
const ADDRESS = /^(?:[\w.~:/?@!$&'()*+,;=-]|%[\da-f]{2})*(?:#(?:[\w.~:/?@!$&'()*+,;=-]|%[\da-f]{2})*)?$/i;
const NOT_IN_ADDRESS = /%(?![\da-f]{2})|[^\w.~:/?@!$&'()*+,;=%-]/gi;

export function commitEntry({ record, repository }: WithRepository<Commit>, links: EntryLinks): FeedEntry {
  return entryOf(links, 'commit', `${repository.fullName}@${record.sha}`, {
    title: `${repository.fullName}: ${record.title}`,
    text: record.description,
    authorName: record.authorName,
    originUrl: record.provenance.sourceUrl,
    publishedAt: record.committedAt,
    tags: record.changeType === null ? [] : [record.changeType],
  });
}

export function releaseEntry({ record, repository }: WithRepository<Release>, links: EntryLinks): FeedEntry {
  const { id, name, tagName, body, sourceUrl, publishedAt, releaseType } = record;
  const title = `${repository.fullName} ${tagName}${name === '' || name === tagName ? '' : `: ${name}`}`;
  return entryOf(links, 'release', id, { title, text: body, originUrl: sourceUrl, publishedAt, tags: [releaseType] });
}

export function findingEntry({ record, repository }: WithRepository<Finding>, links: EntryLinks): FeedEntry {
  const { id, title, summary, sourceUrl, detectedAt, status, changeType } = record;
  return entryOf(links, 'finding', id, {
    title: `${repository.fullName}: ${title}`,
    text: summary,
    originUrl: sourceUrl,
    publishedAt: detectedAt,
    tags: [status, changeType],
  });
}

export function newsEntry({ id, source, title, summary, url, listedAt }: News, links: EntryLinks): FeedEntry {
  return entryOf(links, 'news', id, { title, text: summary, authorName: source, originUrl: url, publishedAt: listedAt });
}

export function articleEntry({ record }: WithOptionalRepository<Article>, links: EntryLinks): FeedEntry {
  const { id, title, summary, authorName, url, publishedAt, updatedAt, tags, articleKind } = record;
  return entryOf(links, 'article', id, {
    title,
    text: summary,
    authorName,
    originUrl: url,
    publishedAt,
    updatedAt: updatedAt ?? publishedAt,
    tags: [articleKind, ...tags],
  });
}

export function videoEntry({ record }: WithOptionalRepository<Video>, links: EntryLinks): FeedEntry {
  const { id, title, description, channelName, url, publishedAt, tags } = record;
  return entryOf(links, 'video', id, { title, text: description, authorName: channelName, originUrl: url, publishedAt, tags });
}

/** @param language of what the entry says about the incident. Its title and its updates stay as they are. */
export function incidentEntry(incident: Incident, links: EntryLinks, language: FeedLanguage = 'en'): FeedEntry {
  const { id, title, incidentKind, updates, sourceUrl, startedAt, announcedAt, updatedAt } = incident;
  const facts = factsOf(incident, language);
  return entryOf(links, 'incident', id, {
    title,
    text: [...facts, ...updates.map((update) => updateText(update, language))].join('\n\n'),
    markdown: [...facts.map(literal), ...updates.map((update) => `**${headOf(update, language)}**\n\n${update.body}`)].join('\n\n'),
    originUrl: sourceUrl,
    publishedAt: announcedAt ?? startedAt,
    updatedAt,
    tags: [incidentKind],
  });
}

/** What a reader must know first: of maintenance, when it is; of all, which services it concerns. */
function factsOf(incident: Incident, language: FeedLanguage): readonly string[] {
  const { incidentKind, state, impact, startedAt, scheduledFor, scheduledUntil, services } = incident;
  const words = FEED_WORDS[language];
  const start = scheduledFor ?? (incidentKind === 'maintenance' ? startedAt : null);
  const until = scheduledUntil === null ? null : timeText(scheduledUntil);
  const time = start === null ? [] : [(scheduledFor === null ? words.since : words.planned)(timeText(start), until)];
  const names = services.map(({ displayName }) => displayName).join(', ');
  const lead = [...time, ...(names === '' ? [] : [`${words.services(names)}.`])].join(' ');
  return [...(lead === '' ? [] : [lead]), words.state(words.nameOf(state), words.nameOf(impact))];
}

/** `2026-11-20 13:41 UTC` */
function timeText(instant: Instant): string {
  return `${new Date(instant).toISOString().slice(0, 'YYYY-MM-DDThh:mm'.length).replace('T', ' ')} UTC`;
}

/** A plain text as Markdown. */
function literal(text: string): string {
  return text.replaceAll(/[!-/:-@[-`{-~]/g, String.raw`\$&`);
}

/** One update of an incident, with its time in UTC. */
export function updateText(update: IncidentUpdate, language: FeedLanguage): string {
  const head = headOf(update, language);
  return update.body === '' ? head : `${head}: ${update.body}`;
}

function headOf({ state, createdAt }: IncidentUpdate, language: FeedLanguage): string {
  return `${timeText(createdAt)}, ${FEED_WORDS[language].nameOf(state)}`;
}
