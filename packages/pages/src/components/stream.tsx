import { type Commit, type Finding, type Incident, type News, type Release, type WithRepository } from '@vitrine/core';
import type { ComponentChildren } from 'preact';
import { serviceName } from '../text/formatter.js';
import { useView, type View } from '../view.js';
import { foldedCommits, type StreamItem } from './commit-folds.js';
import { Channel, FindingStatus, linkOf, releaseName } from './entries.js';
import { DayName, groupedBy, TitleLink } from './entry-list.js';
import { type IconName, Node } from './icon.js';
import { durationOf, presentToneOf, stateWordOf } from './incidents.js';
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
  /** The newest incidents that are over. */
  readonly past: readonly Incident[] | null;
}

const MOST_ITEMS = 14;
/** Releases that are shown with their notes. */
const MOST_FEATURED = 3;
/** Of a text, only so many characters are rendered: the first lines are enough. */
const NOTES = 400;

/** What is new, by day: the commits of a day and repository in one line, and releases with the first lines of their notes. */
export function Stream({ data }: { readonly data: StreamData }) {
  const view = useView();
  const items = itemsOf(data, view);
  if (items.length === 0) return null;
  return (
    <ol class="stream">
      {groupedBy(items, ({ at }) => view.format.dayOf(at)).map(({ first, all }) => (
        <li key={first.key}>
          <DayName day={view.format.dayOf(first.at)} />
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

function itemsOf({ commits, hasMoreCommits, releases, findings, news, past }: StreamData, view: View): readonly StreamItem[] {
  const items = [
    ...foldedCommits(commits ?? [], hasMoreCommits, view),
    ...(releases ?? []).map((item) => releaseLine(item, view)),
    ...(findings ?? []).map((item) => findingLine(item, view)),
    ...(news ?? []).map((item) => lineOf({ ...linkOf(item, view), icon: 'news', facts: <span dir="auto">{item.source}</span> })),
    ...(past ?? []).map((incident) => incidentLine(incident, view)),
  ]
    .sort((a, b) => b.at - a.at)
    .slice(0, MOST_ITEMS);
  const featured = featuredOf((releases ?? []).filter(({ record }) => items.some(({ key }) => key === record.id)));
  return items.map((item) => {
    const release = featured.find(({ record }) => record.id === item.key);
    return release === undefined ? item : { ...item, node: <Ship item={release} /> };
  });
}

/** The newest stable releases, or the newest one. @param releases newest first */
function featuredOf(releases: readonly WithRepository<Release>[]): readonly WithRepository<Release>[] {
  const stable = releases.filter(({ record }) => record.releaseType === 'stable');
  return stable.length === 0 ? releases.slice(0, 1) : stable.slice(0, MOST_FEATURED);
}

/** A record on one line, with its facts below. */
interface Line extends ReturnType<typeof linkOf> {
  readonly icon: IconName;
  readonly tone?: string;
  /** A word beside the title. */
  readonly beside?: ComponentChildren;
  /** What follows the time of day. */
  readonly facts: ComponentChildren;
}

function lineOf({ key, href, at, icon, tone, title, beside, facts }: Line): StreamItem {
  const node = (
    <>
      <Node icon={icon} tone={tone} />
      <TitleLink class="title" href={href} text={title} /> {beside}
      <div class="meta">
        <Clock at={at} />
        {facts}
      </div>
    </>
  );
  return { key, at, node };
}

function releaseLine(item: WithRepository<Release>, view: View): StreamItem {
  const beside = <Channel releaseType={item.record.releaseType} />;
  return lineOf({ ...linkOf(item, view), icon: 'release', beside, facts: <ReleaseFacts item={item} /> });
}

function ReleaseFacts({ item: { record, repository } }: { readonly item: WithRepository<Release> }) {
  return (
    <>
      <RepositoryLink repository={repository} />
      {record.platform === null ? null : <span dir="auto">{record.platform}</span>}
    </>
  );
}

function findingLine(item: WithRepository<Finding>, view: View): StreamItem {
  const facts = (
    <>
      <FindingStatus status={item.record.status} />
      <RepositoryLink repository={item.repository} />
    </>
  );
  return lineOf({ ...linkOf(item, view), icon: 'finding', facts });
}

function incidentLine(incident: Incident, view: View): StreamItem {
  const { resolvedAt, updatedAt, services, endUncertain } = incident;
  const length = durationOf(incident, view);
  const tone = presentToneOf(incident);
  const facts = (
    <>
      <Tag tone={tone}>{stateWordOf(incident, view.t)}</Tag>
      {length === null ? null : <span>{endUncertain === true ? length : view.t.incident.after(length)}</span>}
      <span dir="auto">{services.map(serviceName).join(', ')}</span>
    </>
  );
  return lineOf({ ...linkOf(incident, view), at: resolvedAt ?? updatedAt, icon: tone, tone, facts });
}

/** A release with the first lines of its notes. */
function Ship({ item: { record, repository } }: { readonly item: WithRepository<Release> }) {
  const { links } = useView();
  return (
    <>
      <Node icon="release" tone="full" />
      <article class="ship panel">
        <h3>
          <TitleLink href={links.record('release', record.id)} text={releaseName(record)} />
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
