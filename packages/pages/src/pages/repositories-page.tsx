import type { Repository } from '@vitrine/core';
import { Page } from '../components/layout.js';
import { PageNotice } from '../components/notices.js';
import { Pager } from '../components/pager.js';
import { Tag } from '../components/tag.js';
import { Time } from '../components/time.js';
import { useView } from '../view.js';
import type { ListData } from './list-page.js';

/** The approved repositories as cards. */
export function RepositoriesPage({ data, publicUrl }: { readonly data: ListData<Repository>; readonly publicUrl: string }) {
  const { t } = useView();
  const { items, address } = data;
  const head = { title: t.places.repositories, description: null, path: address.path, json: address.json, publicUrl };
  return (
    <Page head={head} currency={data}>
      <h1>{t.places.repositories}</h1>
      <PageNotice />
      {items.length === 0 ? <p class="soft">{t.lists.empty}</p> : null}
      <ul class="cards">
        {items.map((repository) => (
          <RepositoryCard key={repository.fullName} repository={repository} />
        ))}
      </ul>
      <Pager next={address.next} first={address.first} nextLabel={t.lists.next} />
    </Page>
  );
}

function RepositoryCard({ repository }: { readonly repository: Repository }) {
  const { t, links } = useView();
  const { fullName, latestActivityAt, latestRelease } = repository;
  return (
    <li class="card">
      <h2 class="title">
        <a href={links.record('repository', fullName)}>{fullName}</a>
      </h2>
      {latestRelease === null ? (
        <p class="soft">{t.record.noRelease}</p>
      ) : (
        <p class="meta">
          <span dir="auto">{latestRelease.name === '' ? latestRelease.tagName : latestRelease.name}</span>
          <Tag>{latestRelease.releaseType}</Tag>
          <Time at={latestRelease.publishedAt} />
        </p>
      )}
      <p class="meta">
        {latestActivityAt === null ? (
          t.record.noActivity
        ) : (
          <>
            {t.record.latestActivity} <Time at={latestActivityAt} />
          </>
        )}
      </p>
    </li>
  );
}
