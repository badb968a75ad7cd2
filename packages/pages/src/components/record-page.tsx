import type { Neighbours, Provenance, Repository } from '@vitrine/core';
import type { ComponentChildren } from 'preact';
import type { ListName, PageAddress } from '../page-links.js';
import { useView, type View } from '../view.js';
import { linkOf, type ShownItem } from './entries.js';
import { Titled } from './entry-list.js';
import { ViewOn } from './inline.js';
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

interface RecordPageProps {
  readonly data: RecordData<ShownItem>;
  /** The list of its kind. */
  readonly list: Exclude<ListName, 'repositories'>;
  readonly title: string;
  /** One sentence below the title. */
  readonly lead?: ComponentChildren;
  /** One line of facts below the title. */
  readonly meta: ComponentChildren;
  readonly description: string;
  readonly repository: Repository | null;
  readonly facts: readonly Fact[];
  readonly provenance: Provenance;
  /** The public address of the record at its origin, or of its page. */
  readonly url: string;
  readonly linkedData?: object;
  /** The text of the record and the content below it. */
  readonly children?: ComponentChildren;
}

/** The page of one record: its title, its text, and its facts beside it. */
export function RecordPage(props: RecordPageProps) {
  const { data, title, lead, meta, description, facts, provenance, url, linkedData, children } = props;
  const view = useView();
  const { t, publicUrl } = view;
  const shown = title.trim() === '' ? t.record.untitled : title;
  const about = linkedData === undefined ? {} : { linkedData: { headline: shown, ...linkedData } };
  return (
    <Page head={{ title: shown, description: description === '' ? null : description, ...data.address, ogType: 'article', ...about }} currency={data}>
      <Hero
        heading={<Titled text={title} />}
        crumbs={crumbsOf(props, view)}
        lead={lead}
        meta={meta}
        tools={url === publicUrl + data.address.path ? null : <ViewOn href={url} />}
        hasNotice
      />
      <div class="wrap split">
        <article>{children}</article>
        <aside aria-label={t.record.facts}>
          <div class="panel pad">
            <Facts facts={[...facts, [t.record.source, originOf(provenance, view)]]} />
          </div>
        </aside>
      </div>
      <Around around={data.around} />
    </Page>
  );
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
      {links.map(({ side, href, title, at }) => (
        <a key={side} class={side === 'newer' ? 'next' : undefined} href={href} rel={side === 'newer' ? 'next' : 'prev'}>
          <small>
            {t.record[side]}, {format.shortDay(at)}
          </small>
          <span dir="auto">
            <Titled text={title} />
          </span>
        </a>
      ))}
    </nav>
  );
}

function crumbsOf({ repository, list }: Pick<RecordPageProps, 'repository' | 'list'>, { t, links }: View): readonly Crumb[] {
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
