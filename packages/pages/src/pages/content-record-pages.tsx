import { formatInstant, type Article, type ArticleChange, type News, type Video, type WithOptionalRepository } from '@vitrine/core';
import { Tag } from '../components/state.js';
import { Dated, ExternalLink, FullTime, htmlOf, Prose, type ProseProps } from '../components/inline.js';
import { RecordPage, type RecordData } from '../components/record-page.js';
import { withoutTags } from '../text/html.js';
import { useView, type View } from '../view.js';

export function NewsPage({ data }: { readonly data: RecordData<News> }) {
  const { t } = useView();
  const record = data.item;
  return (
    <RecordPage
      data={data}
      linkedData={{ '@type': 'NewsArticle', datePublished: formatInstant(record.listedAt), isBasedOn: record.url }}
      facts={[
        [t.record.source, record.source === record.provenance.source ? null : record.source],
        [t.record.published, record.publishedAt === undefined ? null : <FullTime at={record.publishedAt} />],
        [t.record.discovered, <FullTime at={record.discoveredAt} />],
      ]}
    >
      <Prose text={record.summary} format="text" />
    </RecordPage>
  );
}

export function ArticlePage({ data }: { readonly data: RecordData<WithOptionalRepository<Article>> }) {
  const view = useView();
  const { t } = view;
  const { record } = data.item;
  return (
    <RecordPage
      data={data}
      lead={isRepeated(record, view) ? null : <span dir="auto">{record.summary}</span>}
      meta={
        <>
          <Tag>{t.articleKinds[record.articleKind]}</Tag>
          {record.authorName === null ? null : <span dir="auto">{record.authorName}</span>}
        </>
      }
      linkedData={{ '@type': 'Article', datePublished: formatInstant(record.publishedAt), inLanguage: record.language }}
      facts={[
        [t.record.version, record.version],
        [t.record.author, record.authorName],
        [t.record.published, <Dated at={record.publishedAt} />],
        [t.record.updated, record.updatedAt === null ? null : <Dated at={record.updatedAt} />],
        [t.record.tags, record.tags.join(', ')],
      ]}
    >
      {record.body.trim() === '' && record.changes.length > 0 ? <ArticleChanges changes={record.changes} /> : <Prose {...shownText(record)} />}
    </RecordPage>
  );
}

function shownText(article: Article): ProseProps {
  const { body, bodyFormat, language, summary } = article;
  return { text: body.trim() === '' ? summary : withoutTitle(article), format: bodyFormat, language, anchors: true };
}

/** In which the summary is looked for, because texts may be long. */
const START_LENGTH = 20_000;
const FIRST_HEADINGS = /^(?:\s*<h[1-6][^>]*>.*?<\/h[1-6]>)+/s;

/** Whether the text begins with the summary, below headings at most: the summary of many articles is their first paragraph. */
function isRepeated(article: Article, view: View): boolean {
  const { body, changes, summary } = article;
  if (body.trim() === '') return changes.length === 0;
  const shown = shownText(article);
  const html = htmlOf(shown, view)?.slice(0, START_LENGTH).replace(FIRST_HEADINGS, '') ?? null;
  const text = html === null ? shown.text : withoutTags(html).replace(/&(?:amp|lt|gt|quot);/g, ' ');
  return lettersOf(text).startsWith(lettersOf(summary));
}

function lettersOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, '');
}

/** Letters and digits, without the marks of Markdown and an id of its own. */
function wordsOf(heading: string): string {
  return lettersOf(heading.replace(/\{#\S{1,200}\}\s*$/, ''));
}

/** The text without a first heading that repeats the title. */
function withoutTitle({ body, title, bodyFormat }: Article): string {
  const text = body.trimStart();
  const end = text.indexOf('\n') + 1 || text.length;
  const isTitle = bodyFormat === 'markdown' && text.startsWith('#') && wordsOf(text.slice(0, end)) === wordsOf(title);
  return isTitle ? text.slice(end) : body;
}

function ArticleChanges({ changes }: { readonly changes: readonly ArticleChange[] }) {
  const { t } = useView();
  return (
    <section>
      <h2>{t.record.changes}</h2>
      <ul>
        {changes.map(({ type, text }) => (
          <li key={`${type} ${text}`} dir="auto">
            <strong>{t.articleChanges[type]}</strong> {text}
          </li>
        ))}
      </ul>
    </section>
  );
}

export function VideoPage({ data }: { readonly data: RecordData<WithOptionalRepository<Video>> }) {
  const { t, format } = useView();
  const { record } = data.item;
  const { durationSeconds } = record;
  return (
    <RecordPage
      data={data}
      meta={
        <>
          <span dir="auto">{record.channelName}</span>
          {durationSeconds === null ? null : <span>{format.length(durationSeconds)}</span>}
        </>
      }
      linkedData={{ '@type': 'VideoObject', name: record.title, uploadDate: formatInstant(record.publishedAt), url: record.url }}
      facts={[
        [t.record.channel, record.channelName],
        [t.record.platform, record.platform],
        [t.record.duration, durationSeconds === null ? null : format.length(durationSeconds)],
        [t.record.published, <FullTime at={record.publishedAt} />],
        [t.record.tags, record.tags.join(', ')],
      ]}
    >
      <Thumbnail video={record} />
      <Prose text={record.description} format="text" />
    </RecordPage>
  );
}

/** If the site allows images of other servers. */
function Thumbnail({ video: { thumbnailUrl, url } }: { readonly video: Video }) {
  const { site, t } = useView();
  if (!site.images || thumbnailUrl === null || !thumbnailUrl.startsWith('https://')) return null;
  return (
    <ExternalLink href={url}>
      <img class="thumb" src={thumbnailUrl} alt={t.record.watch} width="640" height="360" loading="lazy" />
    </ExternalLink>
  );
}
