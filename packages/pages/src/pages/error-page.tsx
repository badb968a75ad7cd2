import { hasSearch, Page, SearchForm } from '../components/layout.js';
import { CopyNotice } from '../components/notices.js';
import { PLACES } from '../page-links.js';
import { useView, type View } from '../view.js';

/** The text of an error page. */
export interface ErrorData {
  /** The HTTP status. */
  readonly status: number;
  /** The explanation for a request that cannot be answered, in English. */
  readonly detail: string;
  /** The id by which the log names the request; `null` in a copy of the site. */
  readonly requestId: string | null;
}

const MOST_PLACES = 4;

export function ErrorPage({ data }: { readonly data: ErrorData }) {
  const view = useView();
  const { t, links, present } = view;
  const [title, text] = textsOf(data, view);
  return (
    <Page head={{ title, description: null, path: '/', json: null, isIndexed: false }} currency={null}>
      <div class="wrap lost">
        <code>{String(data.status)}</code>
        <h1>{title}</h1>
        <p class="soft">{text}</p>
        {hasSearch(view) && data.status === 404 ? <SearchForm label={t.places.search} /> : null}
        <p class="chips">
          <a class="chip" href={links.to('/')}>
            {t.places.overview}
          </a>
          {PLACES.filter((place) => present.has(place))
            .slice(0, MOST_PLACES)
            .map((place) => (
              <a key={place} class="chip" href={links.to(`/${place}`)}>
                {t.places[place]}
              </a>
            ))}
        </p>
        <CopyNotice />
        {data.requestId === null ? null : (
          <p class="soft small">
            {t.error.request} <code>{data.requestId}</code>
          </p>
        )}
      </div>
    </Page>
  );
}

function textsOf({ status, detail }: ErrorData, { t }: View): readonly [title: string, text: string] {
  if (status === 404) return [t.error.notFound, t.error.notFoundText];
  if (status === 429) return [t.error.limited, t.error.limitedText];
  if (status === 503) return [t.error.unavailable, t.error.unavailableText];
  return status < 500 ? [t.error.invalid, detail] : [t.error.failed, t.error.failedText];
}
