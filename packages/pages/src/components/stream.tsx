import {
  isUnresolved,
  type Commit,
  type Finding,
  type Incident,
  type Instant,
  type News,
  type Release,
  type SearchType,
  type WithRepository,
} from '@vitrine/core';
import type { ComponentChildren } from 'preact';
import { dayNumber, serviceName } from '../text/formatter.js';
import { useView, type View } from '../view.js';
import { foldedCommits, Node, type StreamItem } from './commit-folds.js';
import { Channel, FindingStatus, releaseName } from './entries.js';
import { groupedBy, Titled } from './entry-list.js';
import type { IconName } from './icon.js';
import { durationOf } from './incidents.js';
import { Clock, Prose, RepositoryLink } from './inline.js';
import { Tag } from './state.js';

/** The newest records of each kind; `null` for those that could not be read. */
export interface StreamData {
  readonly commits: readonly WithRepository<Commit>[] | null;
  /** Whether there are older commits, so that the last day may be incomplete. */
  readonly hasMoreCommits: boolean;
  readonly releases: readonly WithRepository<Release>[] | null;
  readonly findings: readonly WithRepository<Finding>[] | null;
  readonly news: readonly News[] | null;
  readonly incidents: readonly Incident[] | null;
}

const MOST_ITEMS = 14;
/** Of a text, only so many characters are rendered: the first lines are enough. */
const NOTES = 400;

/** What is new, by day: the commits of a day and repository in one line, and releases with the first lines of their notes. */
export function Stream({ data }: { readonly data: StreamData }) {
  const view = useView();
  const items = itemsOf(data, view);
  if (items.length === 0) return null;
  return (
    <ol class="stream">
      {groupedBy(items, ({ at }) => dayNumber(at)).map(({ first, all }) => (
        <li key={first.key}>
          <time dateTime={view.format.isoDay(first.at)}>{view.format.weekday(first.at)}</time>
          <ol class="rail">
            {all.map(({ key, node }) => (
              <li key={key}>{node}</li>
            ))}
          </ol>
        </li>
      ))}
    </ol>
  );
}

function itemsOf({ commits, hasMoreCommits, releases, findings, news, incidents }: StreamData, view: View): readonly StreamItem[] {
  const resolved = (incidents ?? []).filter((incident) => !isUnresolved(incident));
  const lines: readonly Line[] = [
    ...(releases ?? []).map(releaseLine),
    ...(findings ?? []).map(findingLine),
    ...(news ?? []).map(newsLine),
    ...resolved.map((incident) => incidentLine(incident, view)),
  ];
  const items = [
    ...foldedCommits(commits ?? [], hasMoreCommits),
    ...lines.map((line) => ({ key: line.id, at: line.at, node: <StreamLine {...line} /> })),
  ]
    .sort((a, b) => b.at - a.at)
    .slice(0, MOST_ITEMS);
  const featured = featuredOf((releases ?? []).filter(({ record }) => items.some(({ key }) => key === record.id)));
  return items.map((item) => (featured?.record.id === item.key ? { ...item, node: <Ship item={featured} /> } : item));
}

/** The newest stable release, or the newest one. @param releases newest first */
function featuredOf(releases: readonly WithRepository<Release>[]): WithRepository<Release> | null {
  return releases.find(({ record }) => record.releaseType === 'stable') ?? releases[0] ?? null;
}

/** A record on one line, with its facts below. */
interface Line {
  readonly type: SearchType;
  readonly id: string;
  readonly at: Instant;
  readonly icon: IconName;
  readonly tone?: string;
  readonly title: string;
  /** A word beside the title. */
  readonly beside?: ComponentChildren;
  /** What follows the time of day. */
  readonly facts: ComponentChildren;
}

function StreamLine({ type, id, at, icon, tone, title, beside, facts }: Line) {
  const { links } = useView();
  return (
    <>
      <Node icon={icon} {...(tone !== undefined && { tone })} />
      <a class="title" href={links.record(type, id)} dir="auto">
        <Titled text={title} />
      </a>{' '}
      {beside}
      <div class="meta">
        <Clock at={at} />
        {facts}
      </div>
    </>
  );
}

function releaseLine({ record, repository }: WithRepository<Release>): Line {
  return {
    type: 'release',
    id: record.id,
    at: record.publishedAt,
    icon: 'release',
    title: releaseName(record),
    beside: <Channel releaseType={record.releaseType} />,
    facts: <ReleaseFacts item={{ record, repository }} />,
  };
}

function ReleaseFacts({ item: { record, repository } }: { readonly item: WithRepository<Release> }) {
  return (
    <>
      <RepositoryLink repository={repository} />
      {record.platform === null ? null : <span dir="auto">{record.platform}</span>}
    </>
  );
}

function findingLine({ record, repository }: WithRepository<Finding>): Line {
  const facts = (
    <>
      <FindingStatus status={record.status} />
      <RepositoryLink repository={repository} />
    </>
  );
  return { type: 'finding', id: record.id, at: record.detectedAt, icon: 'finding', title: record.title, facts };
}

function newsLine({ id, listedAt, title, source }: News): Line {
  return { type: 'news', id, at: listedAt, icon: 'news', title, facts: <span dir="auto">{source}</span> };
}

function incidentLine(incident: Incident, view: View): Line {
  const { id, resolvedAt, updatedAt, title, state, services } = incident;
  const length = durationOf(incident, view);
  const facts = (
    <>
      <Tag tone="operational">{view.t.incident.states[state]}</Tag>
      {length === null ? null : <span>{view.t.incident.after(length)}</span>}
      <span dir="auto">{services.map(serviceName).join(', ')}</span>
    </>
  );
  return { type: 'incident', id, at: resolvedAt ?? updatedAt, icon: 'operational', tone: 'operational', title, facts };
}

/** A release with the first lines of its notes. */
function Ship({ item: { record, repository } }: { readonly item: WithRepository<Release> }) {
  const { links } = useView();
  return (
    <>
      <Node icon="release" tone="full" />
      <article class="ship panel">
        <h3>
          <a href={links.record('release', record.id)} dir="auto">
            {releaseName(record)}
          </a>
          <Channel releaseType={record.releaseType} />
        </h3>
        {record.body.trim() === '' ? null : <Prose text={firstLines(record.body)} format="markdown" />}
        <div class="meta">
          <Clock at={record.publishedAt} />
          <ReleaseFacts item={{ record, repository }} />
        </div>
      </article>
    </>
  );
}

/** The first lines of Markdown that end with a whole line. */
function firstLines(markdown: string): string {
  const text = markdown.trim();
  if (text.length <= NOTES) return text;
  const end = text.lastIndexOf('\n', NOTES);
  return end < 1 ? `${text.slice(0, NOTES)}…` : text.slice(0, end);
}
