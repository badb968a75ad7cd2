import type { ServiceState } from '@vitrine/core';
import type { ComponentChildren } from 'preact';
import type { Href } from '../page-links.js';
import { useView } from '../view.js';
import { FeedList } from './feed-list.js';
import { Head, type Alternate, type PageHead } from './head.js';
import { CopyNotice, CurrencyContext, LAST_GOOD_PLACE, type Currency } from './notices.js';

export interface PageProps {
  readonly head: PageHead;
  /** For the notices of the page and its parts; `null` for pages without records. */
  readonly currency: Currency | null;
  /** Colours the page's edge and its icon; `null`: no state is known here. */
  readonly state?: ServiceState | null;
  readonly children: ComponentChildren;
}

const PLACES = ['status', 'repositories', 'commits', 'releases', 'findings', 'missions', 'news', 'articles', 'videos'] as const;

/** The frame of every page. */
export function Page({ head, currency, children }: PageProps) {
  const { site, t } = useView();
  return (
    <html lang={site.language}>
      <Head head={head} />
      <body>
        <a class="skip" href="#main">
          {t.skip}
        </a>
        <Header path={head.path} />
        <main id="main" tabIndex={-1}>
          <span dangerouslySetInnerHTML={{ __html: LAST_GOOD_PLACE }} hidden />
          <CopyNotice />
          <CurrencyContext.Provider value={currency}>{children}</CurrencyContext.Provider>
          <Subscribe feeds={head.alternates ?? []} />
        </main>
        <Footer json={head.json} />
      </body>
    </html>
  );
}

function Subscribe({ feeds }: { readonly feeds: readonly Alternate[] }) {
  const { t, links } = useView();
  if (feeds.every(({ path }) => links.to(path) === undefined)) return null;
  return (
    <nav class="subscribe" aria-label={t.feeds.subscribe}>
      <span>{t.feeds.subscribe}</span>
      <FeedList feeds={feeds} />
    </nav>
  );
}

function Header({ path }: { readonly path: string }) {
  const { site, t, links, copy } = useView();
  return (
    <header class="site">
      <div>
        <a class="brand" href={links.to('/')} {...(path === '/' && { 'aria-current': 'page' })}>
          <Mark />
          <span dir="auto">{site.title}</span>
        </a>
        <nav aria-label={t.navigation}>
          <ul>
            {PLACES.map((place) => (
              <li key={place}>
                <a href={links.to(`/${place}`)} {...currentOf(path, `/${place}`)}>
                  {t.places[place]}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        {copy === null ? <SearchForm /> : null}
      </div>
    </header>
  );
}

function SearchForm() {
  const { t, links } = useView();
  return (
    <form role="search" action={links.to('/search')}>
      <input type="search" name="q" minLength={2} maxLength={100} required placeholder={t.searchHint} aria-label={t.searchLabel} autocomplete="off" />
      <button type="submit" aria-label={t.places.search}>
        <svg viewBox="0 0 20 20" width="16" height="16" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="2.5">
          <path d="M9 3a6 6 0 1 0 .01 0zM13.5 13.5 18 18" />
        </svg>
      </button>
    </form>
  );
}

function Mark() {
  const { site, links } = useView();
  if (site.logo !== null) return <img class="logo" src={links.to('/logo')} alt="" width="24" height="24" />;
  return (
    <svg class="logo" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="2">
      <path d="M2 5a3 3 0 0 1 3-3h10a3 3 0 0 1 3 3v10a3 3 0 0 1-3 3H5a3 3 0 0 1-3-3zM10 2v16M2 10h16" />
    </svg>
  );
}

function currentOf(path: string, place: string) {
  if (path === place) return { 'aria-current': 'page' } as const;
  return path.startsWith(`${place}/`) ? ({ 'aria-current': 'true' } as const) : {};
}

function Footer({ json }: { readonly json: string | null }) {
  const { site, t, links } = useView();
  return (
    <footer class="site">
      <div>
        <p dir="auto">{site.footer ?? t.footer.theme}</p>
        <ul>
          {site.links.map(({ label, url }) => (
            <li key={url}>
              <a href={url} rel="noopener">
                {label}
              </a>
            </li>
          ))}
          <FooterLink href={links.to('/about')} label={t.places.about} />
          {json === null ? null : <FooterLink href={links.to(json)} label={t.footer.json} />}
          <FooterLink href={links.api('')} label={t.footer.api} />
          <li>{t.footer.zone(site.timeZone)}</li>
        </ul>
      </div>
    </footer>
  );
}

/** Nothing, if a copy of the site has no such page. */
function FooterLink({ href, label }: { readonly href: Href; readonly label: string }) {
  if (href === undefined) return null;
  return (
    <li>
      <a href={href}>{label}</a>
    </li>
  );
}
