import {
  formatInstant,
  type Commit,
  type Finding,
  type Mission,
  type Release,
  type WithOptionalRepository,
  type WithRepository,
} from '@vitrine/core';
import { ChangedLines, Progress } from '../components/development-entries.js';
import { Prose } from '../components/prose.js';
import { RecordPage, type RecordProps } from '../components/record-page.js';
import { Time } from '../components/time.js';
import { useView } from '../view.js';

export function CommitPage({ data, publicUrl }: RecordProps<WithRepository<Commit>>) {
  const { t, format } = useView();
  const { record, repository } = data.item;
  const { authorName, authorLogin, branch, changeType, additions, deletions, filesChanged, committedAt, sha } = record;
  const login = authorLogin === '' || authorLogin === authorName ? '' : ` (${authorLogin})`;
  return (
    <RecordPage
      data={data}
      publicUrl={publicUrl}
      title={record.title}
      description={record.description}
      repository={repository}
      provenance={record.provenance}
      url={record.provenance.sourceUrl}
      facts={[
        [t.record.commit, <code>{sha}</code>],
        [t.record.author, authorName + login],
        [t.record.committed, <Time at={committedAt} />],
        [t.record.branch, branch],
        [t.filters.changeType, changeType],
        [
          t.record.changes,
          <>
            <ChangedLines additions={additions} deletions={deletions} /> {t.record.files(filesChanged, format.number(filesChanged))}
          </>,
        ],
      ]}
    >
      {record.description.trim() === '' ? null : <Prose text={record.description} />}
    </RecordPage>
  );
}

interface WithBody {
  /** Its rendered text; `null`: it is shown as it is. */
  readonly body: string | null;
}

export function ReleasePage({ data, body, publicUrl }: RecordProps<WithRepository<Release>> & WithBody) {
  const { t } = useView();
  const { record, repository } = data.item;
  const title = record.name === '' ? record.tagName : record.name;
  return (
    <RecordPage
      data={data}
      publicUrl={publicUrl}
      title={title}
      description={`${repository.fullName} ${record.tagName}`}
      repository={repository}
      provenance={record.provenance}
      url={record.sourceUrl}
      linkedData={{ '@type': 'Article', datePublished: formatInstant(record.publishedAt) }}
      facts={[
        [t.record.version, record.tagName],
        [t.record.published, <Time at={record.publishedAt} />],
        [t.filters.releaseType, record.releaseType],
        [t.record.platform, record.platform],
      ]}
    >
      <Prose text={record.body} html={body} />
    </RecordPage>
  );
}

export function FindingPage({ data, publicUrl }: RecordProps<WithRepository<Finding>>) {
  const { t, links } = useView();
  const { record, repository } = data.item;
  const { branch, additions, deletions, files, commitSha } = record.evidence;
  const commit = commitSha === undefined ? null : links.record('commit', `${repository.fullName}@${commitSha}`);
  return (
    <RecordPage
      data={data}
      publicUrl={publicUrl}
      title={record.title}
      description={record.summary}
      repository={repository}
      provenance={record.provenance}
      url={record.sourceUrl}
      facts={[
        [t.filters.status, record.status],
        [t.filters.changeType, record.changeType],
        [t.record.detected, <Time at={record.detectedAt} />],
        [t.record.branch, branch],
        [t.record.changes, <ChangedLines additions={additions} deletions={deletions} />],
        [t.record.commit, commit === null ? null : <a href={commit}>{commitSha?.slice(0, 12)}</a>],
      ]}
    >
      <Prose text={record.summary} />
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

export function MissionPage({ data, publicUrl }: RecordProps<WithOptionalRepository<Mission>>) {
  const { t } = useView();
  const { record, repository } = data.item;
  const { createdAt, startedAt, targetAt, completedAt } = record;
  return (
    <RecordPage
      data={data}
      publicUrl={publicUrl}
      title={record.title}
      description={record.summary}
      repository={repository}
      provenance={record.provenance}
      url={record.url}
      facts={[
        [t.filters.status, record.status],
        [t.record.changes, <Progress progress={record.progress} />],
        [t.record.tags, record.labels.join(', ')],
        [t.record.created, <Time at={createdAt} />],
        [t.record.started, startedAt === null ? null : <Time at={startedAt} />],
        [t.record.target, targetAt === null ? null : <Time at={targetAt} />],
        [t.record.completed, completedAt === null ? null : <Time at={completedAt} />],
      ]}
    >
      <Prose text={record.summary} />
    </RecordPage>
  );
}
