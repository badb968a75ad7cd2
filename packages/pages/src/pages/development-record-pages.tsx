import { formatInstant } from '@vitrine/core';
import type { Build, Commit, Finding, Mission, Page, Release, WithOptionalRepository, WithRepository } from '@vitrine/core';
import { commitsBetween, comparison } from '../components/changes.js';
import { Builds } from '../components/builds.js';
import {
  Assets,
  Author,
  authorOf,
  ChangedLines,
  ChangeType,
  Channel,
  findingEntry,
  FindingStatus,
  progressOf,
  releaseName,
} from '../components/entries.js';
import { EntryList } from '../components/entry-list.js';
import { CopiedCode, Section } from '../components/blocks.js';
import { Dated, Prose, FullTime } from '../components/inline.js';
import { CommitLines } from '../components/commit-folds.js';
import { RecordPage, type RecordData } from '../components/record-page.js';
import { Tag } from '../components/state.js';
import { useView } from '../view.js';

export interface CommitData extends RecordData<WithRepository<Commit>> {
  /** The builds of it, and the findings that name it, as far as they could be read. */
  readonly builds: readonly Build[];
  readonly findings: readonly WithRepository<Finding>[];
  /** The first release after it; `null`: there is none, or it could not be read. */
  readonly release: Release | null;
}

export function CommitPage({ data }: { readonly data: CommitData }) {
  const view = useView();
  const { t, format, links } = view;
  const { release, builds, findings } = data;
  const { record } = data.item;
  const { branch, additions, deletions, filesChanged, sha } = record;
  return (
    <RecordPage
      data={data}
      meta={<CommitMeta commit={record} />}
      facts={[
        [t.record.commit, <CopiedCode text={sha} shown={sha.slice(0, 12)} />],
        [t.record.branch, branch],
        [
          t.record.changes,
          <>
            <ChangedLines additions={additions} deletions={deletions} /> {t.record.files(filesChanged, format.number(filesChanged))}
            <Share additions={additions} deletions={deletions} />
          </>,
        ],
        [t.record.nextRelease, release === null ? null : <a href={links.record('release', release.id)}>{releaseName(release)}</a>],
      ]}
    >
      <Prose text={record.description} format="text" />
      <Builds builds={builds} />
      {findings.length === 0 ? null : (
        <Section heading={t.places.findings} id="findings" class="panel pad">
          <EntryList entries={findings.map((finding) => findingEntry(finding, view, 'repository'))} />
        </Section>
      )}
    </RecordPage>
  );
}

function CommitMeta({ commit }: { readonly commit: Commit }) {
  const { authorLogin, changeType } = commit;
  return (
    <>
      <ChangeType changeType={changeType} />
      <Author commit={commit} />
      {authorLogin === '' || authorLogin === authorOf(commit) ? null : <span>({authorLogin})</span>}
    </>
  );
}

function Share({ additions, deletions }: { readonly additions: number; readonly deletions: number }) {
  const total = additions + deletions;
  if (total === 0) return null;
  const added = Math.round((100 * additions) / total);
  return (
    <svg class="share" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
      <path class="operational" d={`M0 0h${String(added)}v8h-${String(added)}z`} />
      <path class="outage" d={`M${String(added)} 0H100v8H${String(added)}z`} />
    </svg>
  );
}

export interface ReleaseData extends RecordData<WithRepository<Release>> {
  /** The release before it; `null`: it is the first one. */
  readonly before: Release | null;
  /** The newest commits since then; `null`: it is the first one, or they could not be read. */
  readonly commits: Page<WithRepository<Commit>, unknown> | null;
}

export function ReleasePage({ data }: { readonly data: ReleaseData }) {
  const view = useView();
  const { t } = view;
  const { record } = data.item;
  return (
    <RecordPage
      data={data}
      meta={
        <>
          <Channel releaseType={record.releaseType} />
          {record.platform === null ? null : <Tag>{record.platform}</Tag>}
        </>
      }
      linkedData={{ '@type': 'Article', datePublished: formatInstant(record.publishedAt) }}
      facts={[
        [t.record.version, <CopiedCode text={record.tagName} />],
        [t.record.platform, record.platform],
        [t.record.changes, comparison(data.item, data.before, view)],
      ]}
    >
      <Prose text={record.body} format="markdown" />
      <Assets release={record} />
      <CommitsSince data={data} />
    </RecordPage>
  );
}

function CommitsSince({ data: { item, before, commits } }: { readonly data: ReleaseData }) {
  const view = useView();
  const { t, format } = view;
  if (before === null || commits === null || commits.items.length === 0) return null;
  const count = format.number(commits.items.length);
  return (
    <Section
      heading={t.record.commitsSince(releaseName(before))}
      id="commits"
      class="since"
      aside={commits.next === null ? t.activity.commits(commits.items.length, count) : t.record.newest(count)}
      more={{ href: commitsBetween(item, before, view), label: t.all }}
    >
      <CommitLines commits={commits.items} />
    </Section>
  );
}

export interface FindingData extends RecordData<WithRepository<Finding>> {
  /** Whether its commit has a page. A finding outlives the branch that held its commits. */
  readonly hasCommit: boolean;
}

export function FindingPage({ data }: { readonly data: FindingData }) {
  const { t, links } = useView();
  const { record, repository } = data.item;
  const { branch, additions, deletions, files, commitSha } = record.evidence;
  const commit = data.hasCommit ? links.record('commit', `${repository.fullName}@${commitSha ?? ''}`) : undefined;
  return (
    <RecordPage
      data={data}
      lead={t.findingMeaning}
      meta={
        <>
          <FindingStatus status={record.status} />
          <ChangeType changeType={record.changeType} />
        </>
      }
      facts={[
        [t.record.branch, branch],
        [t.record.changes, <ChangedLines additions={additions} deletions={deletions} />],
        [t.record.commit, commitSha === undefined ? null : <a href={commit}>{commitSha.slice(0, 12)}</a>],
      ]}
    >
      <Prose text={record.summary} format="text" />
      <ChangedFiles files={files} />
    </RecordPage>
  );
}

function ChangedFiles({ files }: { readonly files: readonly string[] }) {
  const { t } = useView();
  if (files.length === 0) return null;
  return (
    <section>
      <h2>{t.record.changedFiles}</h2>
      <ul class="files">
        {[...new Set(files)].map((file) => (
          <li key={file}>
            <code dir="auto">{file}</code>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function MissionPage({ data }: { readonly data: RecordData<WithOptionalRepository<Mission>> }) {
  const { t } = useView();
  const { record } = data.item;
  const { startedAt, targetAt, completedAt } = record;
  return (
    <RecordPage
      data={data}
      meta={<Tag>{t.missionStatuses[record.status]}</Tag>}
      facts={[
        [t.record.progressName, progressOf(record)],
        [t.record.tags, record.labels.join(', ')],
        [t.record.started, startedAt === null ? null : <Dated at={startedAt} />],
        [t.record.target, targetAt === null ? null : <Dated at={targetAt} />],
        [t.record.completed, completedAt === null ? null : <FullTime at={completedAt} />],
      ]}
    >
      <Prose text={record.summary} format="text" />
    </RecordPage>
  );
}
