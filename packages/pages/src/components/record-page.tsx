import type { Provenance, Repository } from '@vitrine/core';
import type { ComponentChildren } from 'preact';
import type { PageAddress } from '../pages/page-address.js';
import { useView } from '../view.js';
import { Facts, type Fact } from './facts.js';
import { Page } from './layout.js';
import { PageNotice, type Currency } from './notices.js';
import { ProvenanceLine } from './provenance-line.js';
import { RepositoryLink } from './repository-link.js';

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
  readonly title: string;
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

/** The page of one record: its title, its facts, its origin and its text. */
export function RecordPage(props: RecordPageProps) {
  const { data, title, description, repository, facts, provenance, url, linkedData, publicUrl, children } = props;
  const { t } = useView();
  const shown = title.trim() === '' ? t.record.untitled : title;
  const about = linkedData === undefined ? {} : { linkedData: { headline: shown, ...linkedData } };
  return (
    <Page
      head={{ title: shown, description: description === '' ? null : description, ...data.address, ogType: 'article', publicUrl, ...about }}
      currency={data}
    >
      <article class="card record">
        <header>
          {repository === null ? null : (
            <p class="soft">
              <RepositoryLink repository={repository} />
            </p>
          )}
          <h1 dir="auto">{shown}</h1>
          <Facts facts={facts} />
          <ProvenanceLine provenance={provenance} url={url === publicUrl + data.address.path ? null : url} />
        </header>
        <PageNotice />
        {children}
      </article>
    </Page>
  );
}
