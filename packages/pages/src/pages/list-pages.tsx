import { comparePositions, positionOf, type Release, type Repository, type WithRepository } from '@vitrine/core';
import type { ComponentChildren } from 'preact';
import { Pager } from '../components/blocks.js';
import { comparison } from '../components/changes.js';
import { Assets, Channel, releaseName } from '../components/entries.js';
import { TitleLink } from '../components/entry-list.js';
import { feedLinks } from '../components/feeds.js';
import { type FilterData, FilterForm, filtersOf } from '../components/filters.js';
import { Hero } from '../components/hero.js';
import { Icon } from '../components/icon.js';
import { Page } from '../components/layout.js';
import { Day, Prose, RepositoryLink, Time } from '../components/inline.js';
import type { Currency } from '../components/notices.js';
import { Tag, toneOf } from '../components/state.js';
import type { ListAddress, ListName } from '../page-links.js';
import { useView } from '../view.js';

/** One page of a list. */
export interface ListData<Item> extends Currency, FilterData {
  readonly items: readonly Item[];
  readonly sample: readonly Item[];
  readonly address: ListAddress;
}

interface ListPageProps {
  readonly name: ListName;
  readonly data: ListData<unknown>;
  readonly children: ComponentChildren;
}

/** Records of one kind with all filters of the API. */
export function ListPage({ name, data, children }: ListPageProps) {
  const view = useView();
  const { t, links } = view;
  const { items, address, filters } = data;
  const isFiltered = Object.keys(filters).length > 0;
  // Only the first page without filters and of the usual length is worth finding: all others change with every record.
  const isIndexed = !address.path.includes('?');
  const alternates = feedLinks([name], view, filters);
  const head = { title: t.places[name], description: null, path: address.path, json: address.json, isIndexed, alternates };
  return (
    <Page head={head} currency={data}>
      <Hero heading={t.places[name]} lead={name === 'findings' ? t.findingMeaning : null} hasNotice />
      <div class="wrap">
        <FilterForm action={links.list(name)} fields={filtersOf(name, data, view)} values={filters} />
        {items.length === 0 ? <p class="soft">{isFiltered ? t.lists.emptyFiltered : t.lists.empty}</p> : children}
        <Pager address={address} nextLabel={name === 'repositories' ? t.lists.next : t.lists.older} />
      </div>
    </Page>
  );
}

/** Longer notes are folded. */
const LONG = 1_200;
const SHOWN_ASSETS = 4;

/** The releases as a changelog: their notes along a rail of dates. */
export function ReleasesPage({ data }: { readonly data: ListData<WithRepository<Release>> }) {
  // The filters of the page may hide the release before, and the next page may hold it.
  const known = [...data.items, ...data.sample].sort(byPosition);
  return (
    <ListPage name="releases" data={data}>
      <ol class="log">
        {data.items.map((item) => (
          <ReleaseItem key={item.record.id} item={item} before={releaseBefore(item, known)} />
        ))}
      </ol>
    </ListPage>
  );
}

function byPosition({ record: a }: WithRepository<Release>, { record: b }: WithRepository<Release>): number {
  return comparePositions(positionOf(a), positionOf(b));
}

/** The release of its repository before it, if the page knows it: the one for the same platform, if there is one. */
function releaseBefore(item: WithRepository<Release>, known: readonly WithRepository<Release>[]): Release | null {
  const older = known.filter((other) => other.repository.fullName === item.repository.fullName && byPosition(item, other) < 0);
  const { platform } = item.record;
  return (older.find(({ record }) => platform === null || record.platform === platform) ?? older[0])?.record ?? null;
}

function ReleaseItem({ item, before }: { readonly item: WithRepository<Release>; readonly before: Release | null }) {
  const view = useView();
  const { t, links } = view;
  const { record, repository } = item;
  const changes = comparison(item, before, view);
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
          <TitleLink href={links.record('release', record.id)} text={releaseName(record)} />
          <Channel releaseType={record.releaseType} />
        </h2>
        {record.body.trim() === '' ? <p class="soft">{t.record.noNotes}</p> : <Notes body={record.body} />}
        <Assets release={record} most={SHOWN_ASSETS} />
        {changes === null ? null : <p class="soft small">{changes}</p>}
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

export function RepositoriesPage({ data }: { readonly data: ListData<Repository> }) {
  return (
    <ListPage name="repositories" data={data}>
      <ul class="tiles">
        {data.items.map((repository) => (
          <RepositoryTile key={repository.fullName} repository={repository} />
        ))}
      </ul>
    </ListPage>
  );
}

function RepositoryTile({ repository }: { readonly repository: Repository }) {
  const { fullName, owner, name, description, language, latestActivityAt, latestRelease } = repository;
  const { t, links } = useView();
  return (
    <li class="panel pad">
      <h2>
        <a href={links.record('repository', fullName)}>
          <span class="soft">{owner}/</span>
          {name}
        </a>
      </h2>
      {description === undefined ? null : <p dir="auto">{description}</p>}
      <p class="meta">
        {language === undefined ? null : <span>{language}</span>}
        {latestRelease === null ? (
          t.record.noRelease
        ) : (
          <>
            <span dir="auto">{releaseName(latestRelease)}</span>
            <Channel releaseType={latestRelease.releaseType} />
            <Time at={latestRelease.publishedAt} />
          </>
        )}
      </p>
      <p class="meta">
        {latestActivityAt === null ? (
          t.record.noActivity
        ) : (
          <span>
            {t.record.latestActivity} <Time at={latestActivityAt} />
          </span>
        )}
      </p>
    </li>
  );
}
