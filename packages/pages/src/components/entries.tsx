import type {
  Article,
  Commit,
  Finding,
  Instant,
  Mission,
  News,
  Release,
  Repository,
  Video,
  WithOptionalRepository,
  WithRepository,
} from '@vitrine/core';
import type { Entry } from './entry-list.js';
import { Icon } from './icon.js';
import { Clock, Day, RepositoryLink } from './inline.js';
import { Tag, toneOf } from './state.js';
import { useView, type View } from '../view.js';

const SHOWN_DIGITS = 8;

/** Where an entry is shown: below a heading that names its day, or on the page of its repository. */
export type EntryPlace = 'day' | 'repository';

interface PlacedProps {
  readonly at: Instant;
  readonly repository: Repository | null;
  readonly place: EntryPlace;
}

/** What the place does not say: when in the day, and in which repository; or on which day. */
function Placed({ at, repository, place }: PlacedProps) {
  if (place === 'repository') return <Day at={at} />;
  return (
    <>
      <Clock at={at} />
      {repository === null ? null : <RepositoryLink repository={repository} />}
    </>
  );
}

export function commitEntry({ record, repository }: WithRepository<Commit>, { links }: View, place: EntryPlace = 'day'): Entry {
  const id = `${repository.fullName}@${record.sha}`;
  return {
    key: id,
    href: links.record('commit', id),
    title: record.title,
    at: record.committedAt,
    meta: (
      <>
        <Placed at={record.committedAt} repository={repository} place={place} />
        <span dir="auto">{record.authorName}</span>
        {record.changeType === null ? null : <Tag>{record.changeType}</Tag>}
        <ChangedLines additions={record.additions} deletions={record.deletions} />
        <code>{record.sha.slice(0, SHOWN_DIGITS)}</code>
      </>
    ),
  };
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

/** The name of a release; its tag if it has none. */
export function releaseName({ name, tagName }: Pick<Release, 'name' | 'tagName'>): string {
  return name.trim() === '' ? tagName : name;
}

export function Channel({ releaseType }: Pick<Release, 'releaseType'>) {
  const { t } = useView();
  return <Tag tone={toneOf.channel(releaseType)}>{t.channels[releaseType] ?? releaseType}</Tag>;
}

export function releaseEntry({ record, repository }: WithRepository<Release>, { links }: View, place: EntryPlace = 'day'): Entry {
  return {
    key: record.id,
    href: links.record('release', record.id),
    title: releaseName(record),
    at: record.publishedAt,
    meta: (
      <>
        <Placed at={record.publishedAt} repository={repository} place={place} />
        <Channel releaseType={record.releaseType} />
        {record.platform === null ? null : <Tag>{record.platform}</Tag>}
      </>
    ),
  };
}

/** The files of a release. @param props.most of them are shown; the page of the release has all */
export function Assets({ release: { id, assets = [] }, most = Infinity }: { readonly release: Release; readonly most?: number }) {
  const { t, format, links } = useView();
  if (assets.length === 0) return null;
  return (
    <ul class="assets">
      {assets.slice(0, most).map(({ name, size, url }) => (
        <li key={name}>
          <a class="button" href={url} rel="nofollow noopener">
            <Icon name="download" />
            <span dir="ltr">{name}</span>
            {size === null ? null : <small>{format.bytes(size)}</small>}
          </a>
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
  return <Tag tone={toneOf.finding(status)}>{t.findingStatuses[status] ?? status.toLowerCase()}</Tag>;
}

export function findingEntry({ record, repository }: WithRepository<Finding>, { links }: View, place: EntryPlace = 'day'): Entry {
  return {
    key: record.id,
    href: links.record('finding', record.id),
    title: record.title,
    at: record.detectedAt,
    meta: (
      <>
        <Placed at={record.detectedAt} repository={repository} place={place} />
        <FindingStatus status={record.status} />
        <Tag>{record.changeType}</Tag>
      </>
    ),
  };
}

export function missionEntry({ record, repository }: WithOptionalRepository<Mission>, { links }: View, place: EntryPlace = 'day'): Entry {
  return {
    key: record.id,
    href: links.record('mission', record.id),
    title: record.title,
    at: record.createdAt,
    meta: (
      <>
        <Placed at={record.createdAt} repository={repository} place={place} />
        <Tag>{record.status}</Tag>
        <Progress progress={record.progress} />
      </>
    ),
  };
}

export function Progress({ progress: { completed, total, percent } }: { readonly progress: Mission['progress'] }) {
  const { t, format } = useView();
  const label = t.record.progress(format.number(completed), format.number(total));
  return (
    <span class="progress">
      <progress max="100" value={percent} aria-label={label} />
      <span aria-hidden="true">{label}</span>
    </span>
  );
}

export function newsEntry(record: News, { links }: View): Entry {
  return {
    key: record.id,
    href: links.record('news', record.id),
    title: record.title,
    at: record.listedAt,
    meta: (
      <>
        <Clock at={record.listedAt} />
        <span dir="auto">{record.source}</span>
      </>
    ),
  };
}

export function articleEntry({ record, repository }: WithOptionalRepository<Article>, { links, t }: View): Entry {
  return {
    key: record.id,
    href: links.record('article', record.id),
    title: record.title,
    at: record.publishedAt,
    meta: (
      <>
        <Clock at={record.publishedAt} />
        {repository === null ? null : <RepositoryLink repository={repository} />}
        <Tag>{t.articleKinds[record.articleKind]}</Tag>
        {record.version === null ? null : <Tag>{record.version}</Tag>}
        {record.authorName === null ? null : <span dir="auto">{record.authorName}</span>}
      </>
    ),
  };
}

export function videoEntry({ record, repository }: WithOptionalRepository<Video>, { links, format }: View): Entry {
  return {
    key: record.id,
    href: links.record('video', record.id),
    title: record.title,
    at: record.publishedAt,
    picture: record.thumbnailUrl,
    meta: (
      <>
        <Clock at={record.publishedAt} />
        {repository === null ? null : <RepositoryLink repository={repository} />}
        <span dir="auto">{record.channelName}</span>
        {record.durationSeconds === null ? null : <span>{format.length(record.durationSeconds)}</span>}
      </>
    ),
  };
}
