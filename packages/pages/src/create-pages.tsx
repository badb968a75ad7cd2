import type { Instant, ServiceState } from '@vitrine/core';
import type { ComponentChild, JSX } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { assets, type Asset } from './assets.js';
import { articleEntry, commitEntry, findingEntry, missionEntry, newsEntry, videoEntry } from './components/entries.js';
import { DayList, type Entry } from './components/entry-list.js';
import { LAST_GOOD_PLACE, LastGoodNotice } from './components/notices.js';
import { Pictures } from './documents/pictures.js';
import { favicon, manifest, policyOf, robots, siteMap, type SiteMapData } from './documents/site-documents.js';
import type { ListName } from './page-links.js';
import { AboutPage } from './pages/about-page.js';
import { ArticlePage, NewsPage, VideoPage } from './pages/content-record-pages.js';
import { CommitPage, FindingPage, MissionPage, ReleasePage } from './pages/development-record-pages.js';
import { ErrorPage } from './pages/error-page.js';
import { HubPage } from './pages/hub-page.js';
import { IncidentPage } from './pages/incident-page.js';
import { type ListData, ListPage, ReleasesPage, RepositoriesPage } from './pages/list-pages.js';
import { OverviewPage } from './pages/overview-page.js';
import { SearchPage } from './pages/search-page.js';
import { ServicePage } from './pages/service-page.js';
import { HistoryPage, StatusPage } from './pages/status-pages.js';
import type { Place, Site } from './site.js';
import { type TextRenderer, type TextTask, WorkerTextRenderer } from './text/worker-text-renderer.js';
import { ViewContext, viewOf, type View } from './view.js';

/** The pages of one site: data in, HTML out. */
export type Pages = ReturnType<typeof createPages>;

const PLACE = `<span hidden>${LAST_GOOD_PLACE}</span>`;

/**
 * @param texts renders the texts of records; by default in a separate thread
 * @throws RangeError for an unknown time zone
 */
export function createPages(site: Site, place: Place, texts: TextRenderer = new WorkerTextRenderer()) {
  const view = viewOf(site, place);
  const { page, pageNow, list } = renderersOf(view, place, texts);
  return {
    /** The same pages at once, for data that is judged again. */
    again: { overview: pageNow(OverviewPage), status: pageNow(StatusPage), service: pageNow(ServicePage), history: pageNow(HistoryPage) },
    ...siteDocuments(site, place),
    overview: page(OverviewPage),
    status: page(StatusPage),
    service: page(ServicePage),
    incident: page(IncidentPage),
    history: page(HistoryPage),
    repositories: page(RepositoriesPage),
    repository: page(HubPage),
    commits: list('commits', commitEntry),
    commit: page(CommitPage),
    releases: page(ReleasesPage),
    release: page(ReleasePage),
    findings: list('findings', findingEntry),
    finding: page(FindingPage),
    missions: list('missions', missionEntry),
    mission: page(MissionPage),
    news: list('news', newsEntry),
    newsRecord: page(NewsPage),
    articles: list('articles', articleEntry),
    article: page(ArticlePage),
    videos: list('videos', videoEntry),
    video: page(VideoPage),
    search: page(SearchPage),
    about: page(AboutPage),
    error: pageNow(ErrorPage),
    /** The same page, marked as a copy of that time. */
    asLastGood: (html: string, madeAt: Instant) => html.replace(PLACE, () => rendered(view, <LastGoodNotice madeAt={madeAt} />)),
  };
}

/** How pages are made of components. */
function renderersOf(view: View, { publicUrl, present, now = Date.now }: Place, texts: TextRenderer) {
  const drawn = <Data,>(Component: PageComponent<Data>, data: Data, textOf: View['textOf']): string =>
    `<!doctype html>${rendered({ ...view, publicUrl, textOf, now: now(), ...(present !== undefined && { present: present() }) }, <Component data={data} />)}`;
  /** With the texts that are rendered already; the others are shown as they are. */
  const pageNow =
    <Data,>(Component: PageComponent<Data>) =>
    (data: Data): string =>
      drawn(Component, data, (task) => texts.kept(task) ?? null);
  /** The first time finds the texts that are not rendered yet. A page may ask for one twice. */
  const page =
    <Data,>(Component: PageComponent<Data>) =>
    async (data: Data): Promise<string> => {
      const missing = new Map<string, TextTask>();
      const first = drawn(Component, data, (task) => {
        const kept = texts.kept(task);
        if (kept === undefined) missing.set(JSON.stringify(task), task);
        return kept ?? null;
      });
      if (missing.size === 0) return first;
      await Promise.all([...missing.values()].map((task) => texts.render(task)));
      return pageNow(Component)(data);
    };
  const list = <Item,>(name: ListName, entryOf: (item: Item, view: View) => Entry) =>
    page(({ data }: { readonly data: ListData<Item> }) => (
      <ListPage name={name} data={data}>
        <DayList entries={data.items.map((item) => entryOf(item, view))} />
      </ListPage>
    ));
  return { page, pageNow, list };
}

type PageComponent<Data> = (props: { readonly data: Data }) => JSX.Element;

/** The documents of a site besides its pages. */
function siteDocuments(site: Site, place: Place) {
  return {
    policy: policyOf(site),
    assets: Object.values<Asset>({ ...assets(site) }),
    logo: site.logo,
    manifest: manifest(site, place.basePath),
    robots: () => robots(place),
    favicon: (state: ServiceState) => favicon(state),
    pictures: new Pictures(site),
    siteMap: (data: SiteMapData) => siteMap(data, place),
  };
}

/** Control characters and others that no HTML may have. Texts of records that were stored elsewhere can have them. */
const NOT_IN_HTML = /[\0-\x08\x0b\x0e-\x1f\x7f-\x9f\p{Noncharacter_Code_Point}]/gu;

function rendered(view: View, content: ComponentChild): string {
  return renderToString(<ViewContext.Provider value={view}>{content}</ViewContext.Provider>).replace(NOT_IN_HTML, '');
}
