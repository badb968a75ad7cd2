import type { Commit, Finding, Mission, Release, WithOptionalRepository, WithRepository } from '@vitrine/core';
import { useView, type View } from '../view.js';
import type { Entry } from './entry-list.js';
import { RepositoryLink } from './repository-link.js';
import { Tag } from './tag.js';
import { Time } from './time.js';

const SHOWN_DIGITS = 8;

export function commitEntry({ record, repository }: WithRepository<Commit>, { links }: View): Entry {
  const id = `${repository.fullName}@${record.sha}`;
  return {
    key: id,
    href: links.record('commit', id),
    title: record.title,
    at: record.committedAt,
    meta: (
      <>
        <RepositoryLink repository={repository} />
        <span dir="auto">{record.authorName}</span>
        {record.changeType === null ? null : <Tag>{record.changeType}</Tag>}
        <ChangedLines additions={record.additions} deletions={record.deletions} />
        <code>{record.sha.slice(0, SHOWN_DIGITS)}</code>
        <Time at={record.committedAt} />
      </>
    ),
  };
}

export function ChangedLines({ additions, deletions }: { readonly additions: number; readonly deletions: number }) {
  const { t, format } = useView();
  const [added, removed] = [format.number(additions), format.number(deletions)];
  return (
    <span>
      <span class="plus" aria-hidden="true">{`+${added}`}</span> <span class="minus" aria-hidden="true">{`−${removed}`}</span>
      <span class="hidden">{`${t.record.additions(additions, added)}, ${t.record.deletions(deletions, removed)}`}</span>
    </span>
  );
}

export function releaseEntry({ record, repository }: WithRepository<Release>, { links }: View): Entry {
  return {
    key: record.id,
    href: links.record('release', record.id),
    title: record.name === '' ? record.tagName : record.name,
    at: record.publishedAt,
    meta: (
      <>
        <RepositoryLink repository={repository} />
        <Tag>{record.releaseType}</Tag>
        {record.platform === null ? null : <Tag>{record.platform}</Tag>}
        <Time at={record.publishedAt} />
      </>
    ),
  };
}

export function findingEntry({ record, repository }: WithRepository<Finding>, { links }: View): Entry {
  return {
    key: record.id,
    href: links.record('finding', record.id),
    title: record.title,
    at: record.detectedAt,
    meta: (
      <>
        <RepositoryLink repository={repository} />
        <Tag>{record.status.toLowerCase()}</Tag>
        <Tag>{record.changeType}</Tag>
        <Time at={record.detectedAt} />
      </>
    ),
  };
}

export function missionEntry({ record, repository }: WithOptionalRepository<Mission>, view: View): Entry {
  return {
    key: record.id,
    href: view.links.record('mission', record.id),
    title: record.title,
    at: record.createdAt,
    meta: (
      <>
        {repository === null ? null : <RepositoryLink repository={repository} />}
        <Tag>{record.status}</Tag>
        <Progress progress={record.progress} />
        <Time at={record.createdAt} />
      </>
    ),
  };
}

export function Progress({ progress: { completed, total, percent } }: { readonly progress: Mission['progress'] }) {
  const { t, format } = useView();
  return (
    <span class="progress">
      <progress max="100" value={percent} aria-label={t.record.progress(format.number(completed), format.number(total))} />
      {format.percent(percent)}
    </span>
  );
}
