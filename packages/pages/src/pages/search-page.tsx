import { SEARCH_TYPES, SERVICE_STATES, type SearchResult, type SearchType } from '@vitrine/core';
import { Titled } from '../components/entry-list.js';
import { Hero } from '../components/hero.js';
import { Page } from '../components/layout.js';
import type { Currency } from '../components/notices.js';
import { Pager } from '../components/blocks.js';
import { Dated, isDayOnly, RepositoryLink, Time } from '../components/inline.js';
import { State } from '../components/state.js';
import type { Messages } from '../messages/messages.js';
import { markedText } from '../text/marked-text.js';
import { type ListAddress, placeOf, PLACES } from '../page-links.js';
import { useView } from '../view.js';

/** What a search found. */
export interface SearchData extends Currency {
  /** `""` before anything was searched. */
  readonly query: string;
  /** The kinds that the search keeps to; empty for all. */
  readonly types: readonly SearchType[];
  readonly results: readonly SearchResult[];
  readonly address: ListAddress;
}

export function SearchPage({ data }: { readonly data: SearchData }) {
  const { t } = useView();
  const { query, results, address } = data;
  const title = query === '' ? t.places.search : t.search.results(query);
  const head = { title, description: null, path: address.path, json: query === '' ? null : address.json, isIndexed: false };
  return (
    <Page head={head} currency={query === '' ? null : data}>
      <Hero heading={title} hasNotice />
      <div class="wrap">
        <FilteredSearch data={data} />
        <div id="results">
          {query === '' ? <p class="soft">{t.search.prompt}</p> : null}
          {query !== '' && results.length === 0 ? <NothingFound query={query} /> : null}
          {results.length === 0 ? null : <Results results={results} query={query} />}
          <Pager address={address} nextLabel={t.lists.next} />
        </div>
      </div>
    </Page>
  );
}

function FilteredSearch({ data: { query, types } }: { readonly data: SearchData }) {
  const { t, links, present } = useView();
  const [only] = types;
  const offered = SEARCH_TYPES.filter((type) => present.has(placeOf(type)) || type === only);
  return (
    <form class="filters" role="search" aria-label={t.places.search} action={links.to('/search')}>
      <label>
        {t.places.search}
        <input type="search" name="q" value={query} minLength={2} maxLength={100} required autocomplete="off" />
      </label>
      <label>
        {t.search.kind}
        <select name="type">
          <option value="">{t.search.allKinds}</option>
          {offered.map((type) => (
            <option key={type} value={type} selected={types.length === 1 && type === only}>
              {t.types[type]}
            </option>
          ))}
        </select>
      </label>
      <button class="button main" type="submit">
        {t.places.search}
      </button>
    </form>
  );
}

const MOST_BROWSED = 5;

function NothingFound({ query }: { readonly query: string }) {
  const { t, links, present } = useView();
  const browsed = PLACES.filter((place) => present.has(place)).slice(0, MOST_BROWSED);
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
        {browsed.map((place, index) => (
          <>
            {index === 0 ? '' : ', '}
            <a href={links.to(`/${place}`)}>{t.places[place]}</a>
          </>
        ))}
      </p>
    </>
  );
}

function headingOf(type: SearchType, t: Messages): string {
  if (type === 'status-service') return t.services;
  if (type === 'incident') return t.feeds.incidents;
  return t.places[placeOf(type)];
}

/** The hits of a page by type: the type of the best hit first, and of each type the best one first. */
function Results({ results, query }: Pick<SearchData, 'results' | 'query'>) {
  const { t } = useView();
  const types = [...new Set(results.map(({ type }) => type))];
  return (
    <>
      {types.map((type) => (
        <section key={type} aria-labelledby={`h-${type}`}>
          <h2 id={`h-${type}`}>{headingOf(type, t)}</h2>
          <ol class="list">
            {results
              .filter((result) => result.type === type)
              .map((result) => (
                <Result key={result.id} result={result} query={query} />
              ))}
          </ol>
        </section>
      ))}
    </>
  );
}

interface ResultProps {
  readonly result: SearchResult;
  readonly query: string;
}

function Result({ result, query }: ResultProps) {
  const { links } = useView();
  const { type, id, title, description, repository, source } = result;
  return (
    <li>
      <a class="title" href={links.record(type, id)} dir="auto">
        {title.trim() === '' ? <Titled text={title} /> : <Marked text={title} query={query} />}
      </a>
      {type === 'status-service' ? null : <Excerpt result={result} query={query} />}
      <div class="meta">
        {type === 'status-service' ? <State state={SERVICE_STATES.find((state) => state === description) ?? 'unknown'} /> : null}
        {repository === null || type === 'repository' ? <span dir="auto">{source}</span> : <RepositoryLink repository={repository} />}
        <ResultTime result={result} />
      </div>
    </li>
  );
}

function ResultTime({ result: { type, timestamp } }: Pick<ResultProps, 'result'>) {
  return type === 'article' && isDayOnly(timestamp) ? <Dated at={timestamp} /> : <Time at={timestamp} />;
}

function Excerpt({ result: { type, description }, query }: ResultProps) {
  const { textOf } = useView();
  const isMarkdown = type === 'release' || type === 'article' || type === 'incident';
  const text = (isMarkdown ? textOf({ text: description, form: 'excerpt', images: false, anchors: false }) : null) ?? description;
  return text === '' ? null : (
    <p class="soft" dir="auto">
      <Marked text={text} query={query} />
    </p>
  );
}

function Marked({ text, query }: { readonly text: string; readonly query: string }) {
  return <>{markedText(text, query).map(({ part, isMatch }) => (isMatch ? <mark>{part}</mark> : part))}</>;
}
