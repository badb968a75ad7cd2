import type { Release, WithRepository } from '@vitrine/core';
import { Assets, Channel, releaseName } from '../components/development-entries.js';
import { Icon } from '../components/icon.js';
import { Prose } from '../components/prose.js';
import { RepositoryLink } from '../components/repository-link.js';
import { Tag, toneOf } from '../components/tag.js';
import { Day } from '../components/time.js';
import { useView } from '../view.js';
import { ListPage, type ListData } from './list-page.js';

/** Longer notes are folded. */
const LONG = 1_200;
const SHOWN_ASSETS = 4;

/** The releases as a changelog: their notes along a rail of dates. */
export function ReleasesPage({ data, publicUrl }: { readonly data: ListData<WithRepository<Release>>; readonly publicUrl: string }) {
  return (
    <ListPage name="releases" data={data} publicUrl={publicUrl}>
      <ol class="log">
        {data.items.map((item) => (
          <ReleaseItem key={item.record.id} item={item} />
        ))}
      </ol>
    </ListPage>
  );
}

function ReleaseItem({ item: { record, repository } }: { readonly item: WithRepository<Release> }) {
  const { t, links } = useView();
  return (
    <li>
      <div class="side">
        <b>
          <Day at={record.publishedAt} />
        </b>
        <RepositoryLink repository={repository} />
        {record.platform === null ? null : (
          <span>
            <Tag>{record.platform}</Tag>
          </span>
        )}
      </div>
      <article class={toneOf.channel(record.releaseType)}>
        <h2>
          <a href={links.record('release', record.id)} dir="auto">
            {releaseName(record)}
          </a>
          <Channel releaseType={record.releaseType} />
        </h2>
        {record.body.trim() === '' ? <p class="soft">{t.record.noNotes}</p> : <Notes body={record.body} />}
        <Assets release={record} most={SHOWN_ASSETS} />
      </article>
    </li>
  );
}

function Notes({ body }: { readonly body: string }) {
  const { t } = useView();
  const [start, rest] = splitNotes(body);
  return (
    <>
      <Prose text={start} format="markdown" />
      {rest === '' ? null : (
        <details class="fold">
          <summary>
            {t.record.moreNotes} <Icon name="chevron" class="chevron" />
          </summary>
          <Prose text={rest} format="markdown" />
        </details>
      )}
    </>
  );
}

/** Cut at a blank line, so that each part is complete Markdown. Notes with fenced code are not cut. */
function splitNotes(body: string): readonly [start: string, rest: string] {
  const text = body.trim();
  const end = text.length <= LONG || text.includes('```') ? -1 : text.indexOf('\n\n', LONG / 2);
  return end < 0 ? [text, ''] : [text.slice(0, end), text.slice(end)];
}
