import type { Repository } from '@vitrine/core';
import { Channel, releaseName } from '../components/development-entries.js';
import { Time } from '../components/time.js';
import { useView } from '../view.js';
import { ListPage, type ListData } from './list-page.js';

/** The approved repositories. */
export function RepositoriesPage({ data, publicUrl }: { readonly data: ListData<Repository>; readonly publicUrl: string }) {
  return (
    <ListPage name="repositories" data={data} publicUrl={publicUrl}>
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
