import { isUnresolved, type Commit, type Finding, type Incident, type Instant, type News, type Release, type WithRepository } from '@vitrine/core';
import type { ComponentChildren } from 'preact';
import { serviceName } from '../text/service-name.js';
import { useView, type View } from '../view.js';
import { dayNumber } from '../text/formatter.js';
import { Channel, ChangedLines, FindingStatus, releaseName } from './development-entries.js';
import { groupedBy, Titled } from './entry-list.js';
import { Icon, type IconName } from './icon.js';
import { durationOf } from './incidents.js';
import { Prose } from './prose.js';
import { RepositoryLink } from './repository-link.js';
import { Tag } from './tag.js';
import { Clock } from './time.js';

/** The newest records of each kind; `null` for those that could not be read. */
export interface StreamData {
  readonly commits: readonly WithRepository<Commit>[] | null;
  /** Whether there are older commits, so that those of the last day may not be all of that day. */
  readonly hasMoreCommits: boolean;
  readonly releases: readonly WithRepository<Release>[] | null;
  readonly findings: readonly WithRepository<Finding>[] | null;
  readonly news: readonly News[] | null;
  readonly incidents: readonly Incident[] | null;
}

/** One thing that happened. */
interface Item {
  readonly key: string;
  readonly at: Instant;
  readonly node: ComponentChildren;
}

const MOST_ITEMS = 14;
const MOST_LINES = 4;
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

function itemsOf({ commits, hasMoreCommits, releases, findings, news, incidents }: StreamData, view: View): readonly Item[] {
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

function Node({ icon, tone }: { readonly icon: IconName; readonly tone?: string }) {
  return (
    <span class={tone === undefined ? 'node' : `node ${tone}`}>
      <Icon name={icon} />
    </span>
  );
}

/** @param commits newest first */
function foldedCommits(commits: readonly WithRepository<Commit>[], hasMore: boolean): readonly Item[] {
  const keyOf = ({ record, repository }: WithRepository<Commit>) => `${String(dayNumber(record.committedAt))} ${repository.fullName}`;
  const lastDay = dayNumber(commits.at(-1)?.record.committedAt ?? 0);
  return [...new Set(commits.map(keyOf))].flatMap((key) => {
    const all = commits.filter((commit) => keyOf(commit) === key);
    const [first] = all;
    if (first === undefined) return [];
    const isCut = hasMore && dayNumber(first.record.committedAt) === lastDay;
    return { key, at: first.record.committedAt, node: <CommitFold commits={all} first={first} isCut={isCut} /> };
  });
}

interface CommitFoldProps {
  readonly commits: readonly WithRepository<Commit>[];
  readonly first: WithRepository<Commit>;
  /** Whether that day may have more. */
  readonly isCut: boolean;
}

function CommitFold({ commits, first, isCut }: CommitFoldProps) {
  const { t, links, format } = useView();
  const { fullName } = first.repository;
  const sum = (of: 'additions' | 'deletions') => commits.reduce((all, { record }) => all + record[of], 0);
  const facts = (
    <>
      <Clock at={first.record.committedAt} />
      <span dir="auto">{[...new Set(commits.map(({ record }) => record.authorName))].slice(0, 3).join(', ')}</span>
      <ChangedLines additions={sum('additions')} deletions={sum('deletions')} />
    </>
  );
  if (commits.length === 1)
    return (
      <>
        <Node icon="commit" />
        <a class="title" href={links.record('commit', `${fullName}@${first.record.sha}`)} dir="auto">
          <Titled text={first.record.title} />
        </a>
        <div class="meta">
          {facts}
          <RepositoryLink repository={first.repository} />
        </div>
      </>
    );
  return (
    <>
      <Node icon="commit" />
      <details class="fold">
        <summary>
          <span class="title">{t.stream.commits(commits.length, `${format.number(commits.length)}${isCut ? '+' : ''}`, fullName)}</span>{' '}
          <Icon name="chevron" class="chevron" />
          <span class="meta">{facts}</span>
        </summary>
        <ul class="lines">
          {commits.slice(0, MOST_LINES).map(({ record }) => (
            <li key={record.sha}>
              <a href={links.record('commit', `${fullName}@${record.sha}`)} dir="auto">
                <Titled text={record.title} />
              </a>
              <span class="soft small" dir="auto">
                {record.authorName}
              </span>
              <span class="soft small">
                <Clock at={record.committedAt} />
              </span>
            </li>
          ))}
          {commits.length <= MOST_LINES ? null : (
            <li>
              <a href={links.list('commits', { repository: fullName })}>{t.more.commits}</a>
            </li>
          )}
        </ul>
      </details>
    </>
  );
}

function releaseItem(item: WithRepository<Release>, isLarge: boolean): Item {
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

function findingItem({ record, repository }: WithRepository<Finding>, { links }: View): Item {
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

function newsItem(record: News, { links }: View): Item {
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

function incidentItem(incident: Incident, view: View): Item {
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
