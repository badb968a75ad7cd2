import { formatInstant, type Article, type ArticleChange, type News, type Video, type WithOptionalRepository } from '@vitrine/core';
import { ExternalLink } from '../components/external-link.js';
import { Prose } from '../components/prose.js';
import { RecordPage, type RecordProps } from '../components/record-page.js';
import { Time } from '../components/time.js';
import { withoutTags } from '../text/html.js';
import { useView } from '../view.js';

export function NewsPage({ data, publicUrl }: RecordProps<News>) {
  const { t } = useView();
  const record = data.item;
  return (
    <RecordPage
      data={data}
      publicUrl={publicUrl}
      title={record.title}
      description={record.summary}
      repository={null}
      provenance={record.provenance}
      url={record.url}
      linkedData={{ '@type': 'NewsArticle', datePublished: formatInstant(record.listedAt), isBasedOn: record.url }}
      facts={[
        [t.record.source, record.source],
        [t.record.published, record.publishedAt === undefined ? null : <Time at={record.publishedAt} />],
        [t.record.discovered, <Time at={record.discoveredAt} />],
      ]}
    >
      <Prose text={record.summary} />
      <p>
        <ExternalLink href={record.url}>{t.record.read}</ExternalLink>
      </p>
    </RecordPage>
  );
}

interface ArticleProps extends RecordProps<WithOptionalRepository<Article>> {
  /** Its rendered text; `null`: it is shown as it is. */
  readonly body: string | null;
}

/** What the page of an article shows as its text. */
export function articleText({ body, changes, summary }: Article): string {
  return body.trim() === '' && changes.length === 0 ? summary : body;
}

export function ArticlePage({ data, body, publicUrl }: ArticleProps) {
  const { t } = useView();
  const { record, repository } = data.item;
  const text = articleText(record);
  return (
    <RecordPage
      data={data}
      publicUrl={publicUrl}
      title={record.title}
      description={record.summary}
      repository={repository}
      provenance={record.provenance}
      url={record.url}
      linkedData={{ '@type': 'Article', datePublished: formatInstant(record.publishedAt), inLanguage: record.language }}
      facts={[
        [t.filters.kind, record.articleKind],
        [t.record.version, record.version],
        [t.record.author, record.authorName],
        [t.record.published, <Time at={record.publishedAt} />],
        [t.record.updated, record.updatedAt === null ? null : <Time at={record.updatedAt} />],
        [t.record.tags, record.tags.join(', ')],
      ]}
    >
      {record.body.trim() === '' ? <ArticleChanges changes={record.changes} /> : null}
      <Prose text={body === null && record.bodyFormat === 'html' ? withoutTags(text) : text} html={body} language={record.language} />
    </RecordPage>
  );
}

/** For a changelog without a text of its own. */
function ArticleChanges({ changes }: { readonly changes: readonly ArticleChange[] }) {
  const { t } = useView();
  if (changes.length === 0) return null;
  return (
    <section>
      <h2>{t.record.changes}</h2>
      <ul>
        {changes.map(({ type, text }) => (
          <li key={`${type} ${text}`} dir="auto">
            <strong>{type}</strong> {text}
          </li>
        ))}
      </ul>
    </section>
  );
}

export function VideoPage({ data, publicUrl }: RecordProps<WithOptionalRepository<Video>>) {
  const { t, format } = useView();
  const { record, repository } = data.item;
  const { durationSeconds } = record;
  return (
    <RecordPage
      data={data}
      publicUrl={publicUrl}
      title={record.title}
      description={record.description}
      repository={repository}
      provenance={record.provenance}
      url={record.url}
      linkedData={{ '@type': 'VideoObject', name: record.title, uploadDate: formatInstant(record.publishedAt), url: record.url }}
      facts={[
        [t.record.channel, record.channelName],
        [t.record.platform, record.platform],
        [t.record.duration, durationSeconds === null ? null : t.about.seconds(format.number(durationSeconds))],
        [t.record.published, <Time at={record.publishedAt} />],
        [t.record.tags, record.tags.join(', ')],
      ]}
    >
      <Prose text={record.description} />
      <p>
        <ExternalLink href={record.url}>{t.record.watch}</ExternalLink>
      </p>
    </RecordPage>
  );
}
