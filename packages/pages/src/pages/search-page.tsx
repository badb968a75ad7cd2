import { SEARCH_TYPES, type SearchResult, type SearchType } from '@vitrine/core';
import { Page } from '../components/layout.js';
import { PageNotice, type Currency } from '../components/notices.js';
import { Pager } from '../components/pager.js';
import { RepositoryLink } from '../components/repository-link.js';
import { State } from '../components/state.js';
import { Tag } from '../components/tag.js';
import { Time } from '../components/time.js';
import { markedText } from '../text/marked-text.js';
import { useView } from '../view.js';
import type { ListAddress } from './page-address.js';

/** What a search found. */
export interface SearchData extends Currency {
  /** `""` before anything was searched. */
  readonly query: string;
  /** The kinds that the search keeps to; empty for all. */
  readonly types: readonly SearchType[];
  readonly results: readonly SearchResult[];
  readonly address: ListAddress;
}

interface SearchProps {
  readonly data: SearchData;
  /** The words of the descriptions, in the order of the results; `null`: a description is shown as it is. */
  readonly excerpts: readonly (string | null)[];
  readonly publicUrl: string;
}

/** Whether the description of a result is Markdown. */
export function hasMarkdown({ type }: SearchResult): boolean {
  return type === 'release' || type === 'article';
}

export function SearchPage({ data, excerpts, publicUrl }: SearchProps) {
  const { t } = useView();
  const { query, results, address } = data;
  const title = query === '' ? t.places.search : t.search.results(query);
  const head = { title, description: null, path: address.path, json: query === '' ? null : address.json, isIndexed: false, publicUrl };
  return (
    <Page head={head} currency={query === '' ? null : data}>
      <h1 dir="auto">{title}</h1>
      <PageNotice />
      <section class="card">
        <SearchForm data={data} />
        {query === '' ? <p class="soft">{t.search.prompt}</p> : null}
        {query !== '' && results.length === 0 ? <NothingFound query={query} /> : null}
        {results.length === 0 ? null : (
          <ol class="list">
            {results.map((result, index) => (
              <Result key={`${result.type} ${result.id}`} result={result} excerpt={excerpts[index] ?? result.description} query={query} />
            ))}
          </ol>
        )}
        <Pager next={address.next} first={address.first} nextLabel={t.lists.next} />
      </section>
    </Page>
  );
}

function SearchForm({ data: { query, types } }: { readonly data: SearchData }) {
  const { t, links } = useView();
  const [only] = types;
  return (
    <form class="searching" role="search" aria-label={t.places.search} action={links.to('/search')}>
      <label>
        {t.searchLabel}
        <input type="search" name="q" value={query} minLength={2} maxLength={100} required autocomplete="off" />
      </label>
      <label>
        {t.search.kind}
        <select name="type">
          <option value="">{t.search.allKinds}</option>
          {SEARCH_TYPES.map((type) => (
            <option key={type} value={type} selected={types.length === 1 && type === only}>
              {t.search.types[type]}
            </option>
          ))}
        </select>
      </label>
      <div class="actions">
        <button type="submit">{t.places.search}</button>
      </div>
    </form>
  );
}

const BROWSED = ['status', 'repositories', 'commits', 'releases', 'articles'] as const;

function NothingFound({ query }: { readonly query: string }) {
  const { t, links } = useView();
  return (
    <>
      <p dir="auto">{t.search.none(query)}</p>
      <ul>
        {t.search.tips.map((tip) => (
          <li key={tip}>{tip}</li>
        ))}
      </ul>
      <p>
        {t.search.browse}{' '}
        {BROWSED.map((place, index) => (
          <>
            {index === 0 ? '' : ', '}
            <a href={links.to(`/${place}`)}>{t.places[place]}</a>
          </>
        ))}
      </p>
    </>
  );
}

interface ResultProps {
  readonly result: SearchResult;
  readonly excerpt: string;
  readonly query: string;
}

function Result({ result, excerpt, query }: ResultProps) {
  const { t, links } = useView();
  const { type, id, title, description, repository, timestamp, source } = result;
  return (
    <li>
      <a class="title" href={links.record(type, id)} dir="auto">
        {title.trim() === '' ? t.record.untitled : <Marked text={title} query={query} />}
      </a>
      {type === 'status-service' || excerpt === '' ? null : (
        <p class="soft" dir="auto">
          <Marked text={excerpt} query={query} />
        </p>
      )}
      <div class="meta">
        <Tag>{t.search.types[type]}</Tag>
        {type === 'status-service' ? <State state={stateOf(description)} /> : null}
        {repository === null || type === 'repository' ? null : <RepositoryLink repository={repository} />}
        <span dir="auto">{source}</span>
        <Time at={timestamp} />
      </div>
    </li>
  );
}

function Marked({ text, query }: { readonly text: string; readonly query: string }) {
  return <>{markedText(text, query).map(({ part, isMatch }) => (isMatch ? <mark>{part}</mark> : part))}</>;
}

/** A service is described by its state. */
function stateOf(description: string) {
  switch (description) {
    case 'operational':
    case 'degraded':
    case 'outage':
    case 'maintenance':
      return description;
    default:
      return 'unknown';
  }
}
