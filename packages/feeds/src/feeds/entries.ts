import type { Article, Commit, Finding, Incident, Instant, News, Release, Video, WithOptionalRepository, WithRepository } from '@vitrine/core';
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

type Described = Omit<FeedEntry, 'id' | 'url' | 'updatedAt' | 'tags'> & Partial<Pick<FeedEntry, 'updatedAt' | 'tags'>>;

function entryOf(links: EntryLinks, type: FeedType, id: string, described: Described): FeedEntry {
  const record = links.record(type, id);
  const url = links.page(type, id) ?? described.originUrl ?? record;
  return { updatedAt: described.publishedAt, tags: [], ...described, id: record, url };
}

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
  return entryOf(links, 'release', id, { title, text: body, authorName: null, originUrl: sourceUrl, publishedAt, tags: [releaseType] });
}

export function findingEntry({ record, repository }: WithRepository<Finding>, links: EntryLinks): FeedEntry {
  const { id, title, summary, sourceUrl, detectedAt, status, changeType } = record;
  return entryOf(links, 'finding', id, {
    title: `${repository.fullName}: ${title}`,
    text: summary,
    authorName: null,
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

export function incidentEntry(incident: Incident, links: EntryLinks): FeedEntry {
  const { id, title, incidentKind, updates, sourceUrl, startedAt, announcedAt, updatedAt } = incident;
  return entryOf(links, 'incident', id, {
    title,
    text: [factsOf(incident), ...updates.map(updateText)].join('\n\n'),
    authorName: null,
    originUrl: sourceUrl,
    publishedAt: announcedAt ?? startedAt,
    updatedAt,
    tags: [incidentKind],
  });
}

/** What a reader must know first: of maintenance also when it is and which services it concerns. Times are in UTC. */
function factsOf({ state, impact, scheduledFor, scheduledUntil, services }: Incident): string {
  const facts = `State: ${state}. Impact: ${impact}.`;
  if (scheduledFor === null) return facts;
  const until = scheduledUntil === null ? '' : ` until ${timeText(scheduledUntil)}`;
  const names = services.map(({ displayName }) => displayName).join(', ');
  return `Planned for ${timeText(scheduledFor)}${until}.${names === '' ? '' : ` Services: ${names}.`}\n\n${facts}`;
}

/** `2026-11-20 13:41 UTC` */
function timeText(instant: Instant): string {
  return `${new Date(instant).toISOString().slice(0, 'YYYY-MM-DDThh:mm'.length).replace('T', ' ')} UTC`;
}

/** One update of an incident, with its time in UTC. */
export function updateText({ state, body, createdAt }: Incident['updates'][number]): string {
  return `${new Date(createdAt).toISOString()} ${state}: ${body}`;
}
