import {
  timeOf,
  type Article,
  type Build,
  type Commit,
  type Finding,
  type Image,
  type Incident,
  type ListedRecord,
  type Mission,
  type News,
  type Release,
  type Video,
  type WithOptionalRepository,
  type WithRepository,
} from '@vitrine/core';
import type { ComponentChildren } from 'preact';
import type { Entry } from './entry-list.js';
import { Icon } from './icon.js';
import { Clock, Day, ExternalLink, isDayOnly, RepositoryLink } from './inline.js';
import { said, Tag, toneOf } from './state.js';
import { useView, type View } from '../view.js';

/** Of the hash of a commit in lists. */
export const SHOWN_DIGITS = 8;

/** A record of a kind that has pages, beside its repository. News and incidents have none. */
export type ShownItem = News | Incident | WithOptionalRepository<Exclude<ListedRecord, News | Incident | Image | Build>>;

/** What every link to a record needs: the key of its list, its address, its title, the time by which its list is sorted, and its day. */
export function linkOf(item: ShownItem, { links, format }: View): Omit<Entry, 'meta'> {
  const { record, repository } = 'record' in item ? item : { record: item, repository: null };
  const id = record.kind === 'commit' ? `${repository?.fullName ?? ''}@${record.sha}` : record.id;
  const title = record.kind === 'release' ? releaseName(record) : record.title;
  const at = timeOf(record);
  const day = isDated(record) ? at : format.dayOf(at);
  return { key: id, href: links.record(record.kind, id), title, at, day };
}

function isDated(record: ListedRecord): boolean {
  return record.kind === 'article' && isDayOnly(record.publishedAt);
}

/** Where an entry is shown: below a heading that names its day, or on the page of its repository. */
type EntryPlace = 'day' | 'repository';

/** How a list shows a record of a kind. @param factsOf what it says of it besides its time and its repository */
function entriesOf<Item extends ShownItem>(factsOf: (item: Item, view: View) => ComponentChildren) {
  return (item: Item, view: View, place: EntryPlace = 'day'): Entry => ({
    ...linkOf(item, view),
    meta: (
      <>
        <Placed item={item} place={place} />
        {factsOf(item, view)}
      </>
    ),
  });
}

/** What the place does not say: when in the day, and in which repository; or on which day. */
function Placed({ item, place }: { readonly item: ShownItem; readonly place: EntryPlace }) {
  const { record, repository } = 'record' in item ? item : { record: item, repository: null };
  const at = timeOf(record);
  if (place === 'repository') return <Day at={at} />;
  return (
    <>
      {isDated(record) ? null : <Clock at={at} />}
      {repository === null ? null : <RepositoryLink repository={repository} />}
    </>
  );
}

export const commitEntry = entriesOf<WithRepository<Commit>>(({ record }) => (
  <>
    <Author commit={record} />
    <ChangeType changeType={record.changeType} />
    <ChangedLines additions={record.additions} deletions={record.deletions} />
    <code>{record.sha.slice(0, SHOWN_DIGITS)}</code>
  </>
));

export const releaseEntry = entriesOf<WithRepository<Release>>(({ record }) => (
  <>
    <Channel releaseType={record.releaseType} />
    {record.platform === null ? null : <Tag>{record.platform}</Tag>}
  </>
));

export const findingEntry = entriesOf<WithRepository<Finding>>(({ record }) => (
  <>
    <FindingStatus status={record.status} />
    <ChangeType changeType={record.changeType} />
  </>
));

export const missionEntry = entriesOf<WithOptionalRepository<Mission>>(({ record }, { t }) => (
  <>
    <Tag>{t.missionStatuses[record.status]}</Tag>
    {progressOf(record)}
  </>
));

export const newsEntry = entriesOf<News>(({ source }) => <span dir="auto">{source}</span>);

export const articleEntry = entriesOf<WithOptionalRepository<Article>>(({ record }, { t }) => (
  <>
    <Tag>{t.articleKinds[record.articleKind]}</Tag>
    {record.version === null ? null : <Tag>{record.version}</Tag>}
    {record.authorName === null ? null : <span dir="auto">{record.authorName}</span>}
  </>
));

const videoFacts = entriesOf<WithOptionalRepository<Video>>(({ record }, { format }) => (
  <>
    <span dir="auto">{record.channelName}</span>
    {record.durationSeconds === null ? null : <span>{format.length(record.durationSeconds)}</span>}
  </>
));

export function videoEntry(item: WithOptionalRepository<Video>, view: View): Entry {
  return { ...videoFacts(item, view), picture: item.record.thumbnailUrl };
}

/** The name of the author; the login if there is no name, and nothing without both. */
export function authorOf({ authorName, authorLogin }: Pick<Commit, 'authorName' | 'authorLogin'>): string {
  return authorName.trim() === '' ? authorLogin : authorName;
}

export function Author({ commit }: { readonly commit: Commit }) {
  const name = authorOf(commit);
  return name === '' ? null : <span dir="auto">{name}</span>;
}

export function ChangedLines({ additions, deletions }: { readonly additions: number; readonly deletions: number }) {
  const { t, format } = useView();
  const [added, removed] = [format.number(additions), format.number(deletions)];
  return (
    <span class="nowrap">
      <span class="plus" aria-hidden="true">{`+${added}`}</span> <span class="minus" aria-hidden="true">{`−${removed}`}</span>
      <span class="hidden">{`${t.record.additions(additions, added)}, ${t.record.deletions(deletions, removed)}`}</span>
    </span>
  );
}

export function ChangeType({ changeType }: Pick<Commit, 'changeType'>) {
  const { t } = useView();
  return changeType === null ? null : <Tag>{said(t.changeTypes, changeType) ?? changeType}</Tag>;
}

export function releaseName({ name, tagName }: Pick<Release, 'name' | 'tagName'>): string {
  return name.trim() === '' ? tagName : name;
}

export function Channel({ releaseType }: Pick<Release, 'releaseType'>) {
  const { t } = useView();
  return <Tag tone={toneOf.channel(releaseType)}>{said(t.channels, releaseType) ?? releaseType}</Tag>;
}

/** The files of a release. @param props.most of them are shown; the page of the release has all */
export function Assets({ release: { id, assets = [] }, most = Infinity }: { readonly release: Release; readonly most?: number }) {
  const { t, format, links } = useView();
  if (assets.length === 0) return null;
  return (
    <ul class="assets">
      {assets.slice(0, most).map(({ name, platform, size, url }) => (
        <li key={name}>
          <ExternalLink class="button" href={url}>
            <Icon name="download" />
            <span dir="ltr">{name}</span>
            <small>{[platform ?? [], size === null ? [] : format.bytes(size)].flat().join(', ')}</small>
          </ExternalLink>
        </li>
      ))}
      {assets.length <= most ? null : (
        <li>
          <a class="button" href={links.record('release', id)}>
            {t.record.moreFiles(format.number(assets.length - most))}
          </a>
        </li>
      )}
    </ul>
  );
}

export function FindingStatus({ status }: Pick<Finding, 'status'>) {
  const { t } = useView();
  return <Tag tone={toneOf.finding(status)}>{said(t.findingStatuses, status) ?? status.toLowerCase()}</Tag>;
}

/** Nothing if no number of steps is known. */
export function progressOf({ progress }: Mission) {
  return progress.total === 0 ? null : <Progress progress={progress} />;
}

function Progress({ progress: { completed, total, percent } }: Pick<Mission, 'progress'>) {
  const { t, format } = useView();
  const label = t.record.progress(format.number(completed), format.number(total));
  return (
    <span class="progress">
      <progress max="100" value={percent} aria-label={label} />
      <span aria-hidden="true">{label}</span>
    </span>
  );
}
