import { isUnresolved, type Commit, type Finding, type Incident, type News, type Release, type WithRepository } from '@vitrine/core';
import { serviceName } from '../text/service-name.js';
import { useView, type View } from '../view.js';
import { dayNumber } from '../text/formatter.js';
import { foldedCommits, Node, type StreamItem } from './commit-folds.js';
import { Channel, FindingStatus, releaseName } from './development-entries.js';
import { groupedBy, Titled } from './entry-list.js';
import { durationOf } from './incidents.js';
import { Prose } from './prose.js';
import { RepositoryLink } from './repository-link.js';
import { Tag } from './tag.js';
import { Clock } from './time.js';

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
  const newestStable = (releases ?? []).find(({ record }) => record.releaseType === 'stable');
  return [
    ...foldedCommits(commits ?? [], hasMoreCommits),
    ...(releases ?? []).map((item) => releaseItem(item, item === newestStable)),
    ...(findings ?? []).map((item) => findingItem(item, view)),
    ...(news ?? []).map((item) => newsItem(item, view)),
    ...(incidents ?? []).filter((incident) => !isUnresolved(incident)).map((incident) => incidentItem(incident, view)),
  ]
    .sort((a, b) => b.at - a.at)
    .slice(0, MOST_ITEMS);
}

function releaseItem(item: WithRepository<Release>, isLarge: boolean): StreamItem {
  const { id, publishedAt } = item.record;
  return { key: id, at: publishedAt, node: isLarge ? <Ship item={item} /> : <SmallRelease item={item} /> };
}

/** The newest stable release, with the first lines of its notes. */
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
          <RepositoryLink repository={repository} />
          {record.platform === null ? null : <span dir="auto">{record.platform}</span>}
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

function SmallRelease({ item: { record, repository } }: { readonly item: WithRepository<Release> }) {
  const { links } = useView();
  return (
    <>
      <Node icon="release" />
      <a class="title" href={links.record('release', record.id)} dir="auto">
        {releaseName(record)}
      </a>{' '}
      <Channel releaseType={record.releaseType} />
      <div class="meta">
        <Clock at={record.publishedAt} />
        <RepositoryLink repository={repository} />
        {record.platform === null ? null : <span dir="auto">{record.platform}</span>}
      </div>
    </>
  );
}

function findingItem({ record, repository }: WithRepository<Finding>, { links }: View): StreamItem {
  return {
    key: record.id,
    at: record.detectedAt,
    node: (
      <>
        <Node icon="finding" />
        <a class="title" href={links.record('finding', record.id)} dir="auto">
          <Titled text={record.title} />
        </a>
        <div class="meta">
          <Clock at={record.detectedAt} />
          <FindingStatus status={record.status} />
          <RepositoryLink repository={repository} />
        </div>
      </>
    ),
  };
}

function newsItem(record: News, { links }: View): StreamItem {
  return {
    key: record.id,
    at: record.listedAt,
    node: (
      <>
        <Node icon="news" />
        <a class="title" href={links.record('news', record.id)} dir="auto">
          <Titled text={record.title} />
        </a>
        <div class="meta">
          <Clock at={record.listedAt} />
          <span dir="auto">{record.source}</span>
        </div>
      </>
    ),
  };
}

function incidentItem(incident: Incident, view: View): StreamItem {
  const { t, links } = view;
  const length = durationOf(incident, view);
  return {
    key: incident.id,
    at: incident.resolvedAt ?? incident.updatedAt,
    node: (
      <>
        <Node icon="operational" tone="operational" />
        <a class="title" href={links.record('incident', incident.id)} dir="auto">
          <Titled text={incident.title} />
        </a>
        <div class="meta">
          <Clock at={incident.resolvedAt ?? incident.updatedAt} />
          <Tag tone="operational">{t.incident.states[incident.state]}</Tag>
          {length === null ? null : <span>{t.incident.after(length)}</span>}
          <span dir="auto">{incident.services.map(serviceName).join(', ')}</span>
        </div>
      </>
    ),
  };
}
