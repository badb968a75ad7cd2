import type { Provenance, Repository } from '@vitrine/core';
import type { ComponentChildren } from 'preact';
import type { PageAddress } from '../pages/page-address.js';
import type { ListName } from '../page-links.js';
import { useView, type View } from '../view.js';
import { Titled } from './entry-list.js';
import { ViewOn } from './external-link.js';
import { Facts, type Fact } from './facts.js';
import { Hero, type Crumb } from './hero.js';
import { Page } from './layout.js';
import type { Currency } from './notices.js';

/** One record with what its page needs. */
export interface RecordData<Item> extends Currency {
  readonly item: Item;
  readonly address: PageAddress;
}

/** What the page of one kind of records is rendered from. */
export interface RecordProps<Item> {
  readonly data: RecordData<Item>;
  readonly publicUrl: string;
}

interface RecordPageProps {
  readonly data: RecordData<unknown>;
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
  readonly publicUrl: string;
  /** The text of the record and what follows it. */
  readonly children?: ComponentChildren;
}

/** The page of one record: its title, its text, and its facts beside it. */
export function RecordPage(props: RecordPageProps) {
  const { data, title, lead, meta, description, facts, provenance, url, linkedData, publicUrl, children } = props;
  const view = useView();
  const { t } = view;
  const shown = title.trim() === '' ? t.record.untitled : title;
  const about = linkedData === undefined ? {} : { linkedData: { headline: shown, ...linkedData } };
  return (
    <Page
      head={{ title: shown, description: description === '' ? null : description, ...data.address, ogType: 'article', publicUrl, ...about }}
      currency={data}
    >
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
    </Page>
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
