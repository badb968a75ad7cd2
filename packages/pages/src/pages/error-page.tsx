import { Page } from '../components/layout.js';
import { useView, type View } from '../view.js';

/** What a person is told of an error. */
export interface ErrorData {
  /** The HTTP status. */
  readonly status: number;
  /** The explanation for a request that cannot be answered, in English. */
  readonly detail: string;
  /** The id by which the log names the request; `null` in a copy of the site. */
  readonly requestId: string | null;
}

export function ErrorPage({ data, publicUrl }: { readonly data: ErrorData; readonly publicUrl: string }) {
  const view = useView();
  const { t, links } = view;
  const [title, text] = textsOf(data, view);
  return (
    <Page head={{ title, description: null, path: '/', json: null, isIndexed: false, publicUrl }} currency={null}>
      <section class="card error">
        <p class="status">{String(data.status)}</p>
        <h1>{title}</h1>
        <p>{text}</p>
        <p>
          <a href={links.to('/')}>{t.error.home}</a>
        </p>
        {data.requestId === null ? null : (
          <p class="soft">
            {t.error.request} <code>{data.requestId}</code>
          </p>
        )}
      </section>
    </Page>
  );
}

function textsOf({ status, detail }: ErrorData, { t }: View): readonly [title: string, text: string] {
  if (status === 404) return [t.error.notFound, t.error.notFoundText];
  if (status === 429) return [t.error.limited, t.error.limitedText];
  if (status === 503) return [t.error.unavailable, t.error.unavailableText];
  return status < 500 ? [t.error.invalid, detail] : [t.error.failed, t.error.failedText];
}
