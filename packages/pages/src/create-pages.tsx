import type { Instant } from '@vitrine/core';
import type { ComponentChild } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { assets, type Asset } from './assets.js';
import { LAST_GOOD_PLACE } from './components/notices.js';
import { FullTime } from './components/time.js';
import { ErrorPage, type ErrorData } from './pages/error-page.js';
import { OverviewPage, type OverviewData } from './pages/overview-page.js';
import type { Place, Site } from './site.js';
import { ViewContext, viewOf, type View } from './view.js';

/** The pages of one site: data in, HTML out. */
export type Pages = ReturnType<typeof createPages>;

const PLACE = `<span hidden>${LAST_GOOD_PLACE}</span>`;

/** @throws RangeError for an unknown time zone */
export function createPages(site: Site, { basePath, publicUrl }: Place) {
  const view = viewOf(site, basePath);
  const render = (page: ComponentChild): string => `<!doctype html>${rendered(view, page)}`;
  return {
    policy: policyOf(site),
    assets: Object.values<Asset>({ ...assets(site) }),
    overview: (data: OverviewData) => render(<OverviewPage data={data} publicUrl={publicUrl()} />),
    error: (data: ErrorData) => render(<ErrorPage data={data} publicUrl={publicUrl()} />),
    /** The same page, marked as a copy of that time. */
    asLastGood: (html: string, madeAt: Instant) => html.replace(PLACE, () => rendered(view, <LastGood madeAt={madeAt} />)),
  };
}

function rendered(view: View, content: ComponentChild): string {
  return renderToString(<ViewContext.Provider value={view}>{content}</ViewContext.Provider>);
}

function LastGood({ madeAt }: { readonly madeAt: Instant }) {
  return (
    <ViewContext.Consumer>
      {({ t }) => (
        <section class="card notice" role="note">
          <p>
            <strong>{t.notices.lastGood}</strong> <FullTime at={madeAt} />
          </p>
        </section>
      )}
    </ViewContext.Consumer>
  );
}

/** Everything is loaded from the same origin, apart from images where the site allows them. Nothing inside a page is run or styled. */
function policyOf({ images }: Site): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self'${images ? ' https:' : ''}`,
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
