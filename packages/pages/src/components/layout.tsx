import type { ComponentChildren } from 'preact';
import { type Href, type PlaceName, PLACES } from '../page-links.js';
import { MARK } from '../documents/site-documents.js';
import { isInline } from '../site.js';
import { useView, type View } from '../view.js';
import { feedLinks, FeedList } from './feeds.js';
import { Head, type Alternate, type PageHead } from './head.js';
import { Icon } from './icon.js';
import { CurrencyContext, type Currency } from './notices.js';

export interface PageProps {
  readonly head: PageHead;
  /** For the notices of the page and its parts; `null` for pages without records. */
  readonly currency: Currency | null;
  readonly children: ComponentChildren;
}

/** With one more, the last places move into a menu. */
const MOST_LINKS = 5;

export function Page({ head, currency, children }: PageProps) {
  const { site, t } = useView();
  return (
    <html lang={site.language}>
      <Head head={head} />
      <body>
        <a class="skip" href="#main">
          {t.skip}
        </a>
        <Header head={head} />
        <main id="main" tabIndex={-1}>
          {currency === null ? children : <CurrencyContext.Provider value={currency}>{children}</CurrencyContext.Provider>}
        </main>
        <Footer json={head.json} />
      </body>
    </html>
  );
}

function Header({ head: { path, alternates = [] } }: { readonly head: PageHead }) {
  const view = useView();
  const { site, links } = view;
  return (
    <header class="site">
      <div class="wrap">
        <a class="brand" href={links.to('/')} {...(path === '/' && { 'aria-current': 'page' })}>
          <Mark />
          <span dir="auto">{site.title}</span>
        </a>
        <Navigation path={path} />
        <div class="tools">
          {hasSearch(view) && !path.startsWith('/search') ? <HeaderSearch /> : null}
          <Subscribe feeds={alternates} />
        </div>
      </div>
    </header>
  );
}

function Navigation({ path }: { readonly path: string }) {
  const { t, present } = useView();
  const places = PLACES.filter((place) => present.has(place));
  if (places.length === 0) return <span class="nav" />;
  const isLong = places.length > MOST_LINKS;
  const first = isLong ? places.slice(0, MOST_LINKS - 1) : places;
  return (
    <nav class="nav" aria-label={t.navigation}>
      <ul>
        {first.map((place) => (
          <PlaceLink key={place} place={place} path={path} />
        ))}
      </ul>
      <details class={isLong ? 'menu' : 'menu narrow'} name="menu">
        <summary>
          <span class="wide">{t.moreMenu}</span>
          <span class="narrow">{t.menu}</span>
          <Icon name="down" />
        </summary>
        <div class="drop">
          <ul>
            {places.map((place) => (
              <PlaceLink key={place} place={place} path={path} {...(first.includes(place) && { class: 'narrow' })} />
            ))}
          </ul>
        </div>
      </details>
    </nav>
  );
}

function PlaceLink({ place, path, class: className }: { readonly place: PlaceName; readonly path: string; readonly class?: string }) {
  const { t, links } = useView();
  return (
    <li class={className}>
      <a href={links.to(`/${place}`)} {...currentOf(path, `/${place}`)}>
        {t.places[place]}
      </a>
    </li>
  );
}

function currentOf(path: string, place: string) {
  if (path.split('?', 1)[0] === place) return { 'aria-current': 'page' } as const;
  return path.startsWith(`${place}/`) ? ({ 'aria-current': 'true' } as const) : {};
}

/** Without development there is little to search, and the services are on the page. */
export function hasSearch({ copy, present }: View): boolean {
  return copy === null && present.size > 1;
}

/** @param props.label tells it from another one on the page */
export function SearchForm({ label, children }: { readonly label?: string; readonly children?: ComponentChildren }) {
  const { t, links } = useView();
  return (
    <form class="search" role="search" aria-label={label} action={links.to('/search')}>
      <button type="submit" aria-label={t.places.search}>
        <Icon name="search" />
      </button>
      <input
        type="search"
        name="q"
        minLength={2}
        maxLength={100}
        required
        placeholder={t.places.search}
        aria-label={t.places.search}
        autocomplete="off"
      />
      {children}
    </form>
  );
}

function HeaderSearch() {
  const { t, links } = useView();
  return (
    <>
      <SearchForm>
        <kbd aria-hidden="true">/</kbd>
      </SearchForm>
      <a class="button seek" href={links.to('/search')} aria-label={t.places.search}>
        <Icon name="search" />
      </a>
    </>
  );
}

/** The feeds of the page first, then those of incidents. */
function Subscribe({ feeds }: { readonly feeds: readonly Alternate[] }) {
  const view = useView();
  const { t, links } = view;
  const all = [...new Map([...feeds, ...feedLinks(['incidents'], view)].map((feed) => [feed.path, feed])).values()];
  if (all.every(({ path }) => links.to(path) === undefined)) return null;
  return (
    <details class="menu" name="menu">
      <summary class="button">
        <Icon name="bell" />
        <span>{t.feeds.subscribe}</span>
      </summary>
      <div class="drop">
        <FeedList feeds={all} />
        <p class="pair soft">{t.feeds.hint}</p>
      </div>
    </details>
  );
}

function Mark() {
  const { site, links } = useView();
  if (isInline(site.logo)) return <span class="logo" />;
  if (site.logo !== null) return <img class="logo" src={links.to('/logo')} alt="" width="24" height="24" />;
  return (
    <svg class="logo" viewBox="0 0 24 24" aria-hidden="true" fill="currentColor">
      <path d={MARK} />
    </svg>
  );
}

function Footer({ json }: { readonly json: string | null }) {
  const { site, t, links, present } = useView();
  const status = present.has('status')
    ? [
        [links.to('/status'), t.footer.services],
        [links.to('/status/history'), t.footer.past],
        [links.to('/feeds/maintenance.ics'), t.footer.calendar],
      ]
    : [];
  const data = [
    [json === null ? undefined : links.to(json), t.footer.json],
    [links.api(''), t.footer.api],
    [links.to('/about'), t.footer.sources],
  ];
  return (
    <footer class="foot">
      <div class="wrap">
        <div>
          <p dir="auto">{site.footer ?? t.footer.theme}</p>
          <p class="small">{t.footer.zone(site.timeZone)}</p>
          <ThemeSwitch />
        </div>
        <FooterList heading={t.places.status} entries={status} />
        <FooterList heading={t.footer.data} entries={data} />
        <FooterList heading={site.title} entries={site.links.map(({ label, url }) => [url, label])} />
      </div>
    </footer>
  );
}

interface FooterListProps {
  readonly heading: string;
  /** Those without an address are left out, because a copy of the site has no such page. */
  readonly entries: readonly (readonly (Href | string)[])[];
}

function FooterList({ heading, entries }: FooterListProps) {
  const present = entries.filter(([href]) => href !== undefined);
  if (present.length === 0) return null;
  return (
    <div>
      <b dir="auto">{heading}</b>
      <ul>
        {present.map(([href, label]) => (
          <li key={href}>
            <a href={href} dir="auto" {...(/^https?:/.test(href ?? '') && { rel: 'noopener' })}>
              {label}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The script of the pages shows and handles it. Without the script, the browser decides. */
function ThemeSwitch() {
  const { t } = useView();
  return (
    <p class="themes" hidden>
      {(['system', 'light', 'dark'] as const).map((theme) => (
        <button key={theme} type="button" data-theme={theme} aria-pressed="false">
          {t.themes[theme]}
        </button>
      ))}
    </p>
  );
}
