import { KINDS, timeOf, type Incident, type Neighbours, type News, type Provenance, type Repository } from '@vitrine/core';
import type { ComponentChildren } from 'preact';
import type { ListName, PageAddress } from '../page-links.js';
import { useView, type View } from '../view.js';
import { linkOf, type ShownItem } from './entries.js';
import { Titled } from './entry-list.js';
import { Dated, FullTime, ViewOn } from './inline.js';
import { type Fact, Facts } from './blocks.js';
import { type Crumb, Hero } from './hero.js';
import { Page } from './layout.js';
import type { Currency } from './notices.js';

/** One record with the data of its page. */
export interface RecordData<Item> extends Currency {
  readonly item: Item;
  /** The records beside it in its list; `null`: they could not be read. */
  readonly around: Neighbours<Item> | null;
  readonly address: PageAddress;
}

/** A record with a page of this form. */
type PagedItem = Exclude<ShownItem, Incident>;

interface RecordPageProps {
  readonly data: RecordData<PagedItem>;
  readonly lead?: ComponentChildren;
  /** What the line of facts below the title says before the time of the record. */
  readonly meta?: ComponentChildren;
  readonly facts: readonly Fact[];
  readonly linkedData?: object;
  /** The text of the record and the content below it. */
  readonly children?: ComponentChildren;
}

/** The page of one record: its title, its text, and its facts beside it. */
export function RecordPage({ data, lead, meta, facts, linkedData, children }: RecordPageProps) {
  const view = useView();
  const { t, publicUrl } = view;
  const { record, repository } = 'record' in data.item ? data.item : { record: data.item, repository: null };
  const { title } = linkOf(data.item, view);
  const [shown, url, description] = [title.trim() === '' ? t.record.untitled : title, originalOf(record), descriptionOf(record, repository)];
  const about = linkedData === undefined ? {} : { linkedData: { headline: shown, ...linkedData } };
  return (
    <Page head={{ title: shown, description: description === '' ? null : description, ...data.address, ogType: 'article', ...about }} currency={data}>
      <Hero
        heading={<Titled text={title} />}
        crumbs={crumbsOf(repository, KINDS[record.kind].plural, view)}
        lead={lead}
        meta={
          <>
            {meta}
            {record.kind === 'article' ? <Dated at={record.publishedAt} /> : <FullTime at={timeOf(record)} />}
          </>
        }
        tools={url === publicUrl + data.address.path ? null : <ViewOn href={url} />}
        hasNotice
      />
      <div class="wrap split">
        <article>{children}</article>
        <aside aria-label={t.record.facts}>
          <div class="panel pad">
            <Facts facts={[...facts, [t.record.source, originOf(record.provenance, view)]]} />
          </div>
        </aside>
      </div>
      <Around around={data.around} />
    </Page>
  );
}

type PagedRecord = Extract<PagedItem, { readonly record: unknown }>['record'] | News;

/** The public address of a record at its origin, or of its page. */
function originalOf(record: PagedRecord): string {
  if ('url' in record) return record.url;
  return 'sourceUrl' in record ? record.sourceUrl : record.provenance.sourceUrl;
}

function descriptionOf(record: PagedRecord, repository: Repository | null): string {
  if (record.kind === 'release') return `${repository?.fullName ?? ''} ${record.tagName}`;
  return 'summary' in record ? record.summary : record.description;
}

/** Links to the older and the newer record. A copy of the site may lack their pages. */
export function Around({ around }: Pick<RecordData<ShownItem>, 'around'>) {
  const view = useView();
  const { t, format } = view;
  const links = (['older', 'newer'] as const).flatMap((side) => {
    const item = around?.[side] ?? null;
    const link = item === null ? null : linkOf(item, view);
    return link?.href === undefined ? [] : [{ ...link, side }];
  });
  if (links.length === 0) return null;
  return (
    <nav class="wrap around" aria-label={t.record.around}>
      {links.map(({ side, href, title, day }) => (
        <a key={side} class={side === 'newer' ? 'next' : undefined} href={href} rel={side === 'newer' ? 'next' : 'prev'}>
          <small>
            {t.record[side]}, {format.shortDay(day)}
          </small>
          <span dir="auto">
            <Titled text={title} />
          </span>
        </a>
      ))}
    </nav>
  );
}

function crumbsOf(repository: Repository | null, list: ListName, { t, links }: View): readonly Crumb[] {
  if (repository === null) return [{ label: t.places[list], href: links.list(list) }];
  const { fullName } = repository;
  return [
    { label: fullName, href: links.record('repository', fullName) },
    { label: t.places[list], href: links.list(list, { repository: fullName }) },
  ];
}

/** Where a record comes from, in a few words. */
function originOf({ source, sourceKind, isOfficialSource }: Provenance, { t }: View): string {
  if (sourceKind === 'service-interpretation') return `${source} (${t.record.derived})`;
  if (sourceKind === 'community-feed') return `${source} (${t.record.community})`;
  return isOfficialSource ? `${source} (${t.record.official})` : source;
}
