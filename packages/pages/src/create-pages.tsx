import type {
  Article,
  Commit,
  Finding,
  Instant,
  Mission,
  News,
  Release,
  Repository,
  ServiceState,
  Video,
  WithOptionalRepository,
  WithRepository,
} from '@vitrine/core';
import type { ComponentChild } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { assets, type Asset } from './assets.js';
import { articleEntry, commitEntry, findingEntry, missionEntry, newsEntry, videoEntry } from './components/entries.js';
import { LAST_GOOD_PLACE, LastGoodNotice } from './components/notices.js';
import type { RecordData } from './components/record-page.js';
import { favicon, manifest, policyOf, robots, siteMap, type SiteMapData } from './documents/site-documents.js';
import { Pictures } from './documents/pictures.js';
import type { ListName } from './page-links.js';
import { AboutPage, type AboutData } from './pages/about-page.js';
import { ArticlePage, NewsPage, VideoPage } from './pages/content-record-pages.js';
import { CommitPage, FindingPage, MissionPage, ReleasePage, type ReleaseData } from './pages/development-record-pages.js';
import { DayList, type Entry } from './components/entry-list.js';
import { ErrorPage, type ErrorData } from './pages/error-page.js';
import { type HistoryData, HistoryPage, type StatusData, StatusPage } from './pages/status-pages.js';
import { HubPage, type HubData } from './pages/hub-page.js';
import { IncidentPage, type IncidentData } from './pages/incident-page.js';
import { type ListData, ListPage, ReleasesPage, RepositoriesPage } from './pages/list-pages.js';
import { OverviewPage, type OverviewData } from './pages/overview-page.js';
import { SearchPage, type SearchData } from './pages/search-page.js';
import { ServicePage, type ServiceData } from './pages/service-page.js';
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
  const { publicUrl, present } = place;
  const view = viewOf(site, place);
  const renderWith = (textOf: View['textOf'], page: (publicUrl: string) => ComponentChild): string =>
    `<!doctype html>${rendered({ ...view, textOf, ...(present !== undefined && { present: present() }) }, page(publicUrl()))}`;
  /** With the texts that are rendered already; the others are shown as they are. */
  const renderNow: Render<string> = (page) => renderWith((task) => texts.kept(task) ?? null, page);
  /** The first time finds the texts that are not rendered yet. */
  const render: Render<Promise<string>> = async (page) => {
    const missing: TextTask[] = [];
    const first = renderWith((task) => {
      const kept = texts.kept(task);
      if (kept === undefined) missing.push(task);
      return kept ?? null;
    }, page);
    if (missing.length === 0) return first;
    await Promise.all(missing.map((task) => texts.render(task)));
    return renderNow(page);
  };
  return {
    /** The same pages at once, for data that is judged again. */
    again: {
      overview: (data: OverviewData) => renderNow((url) => <OverviewPage data={data} publicUrl={url} />),
      status: (data: StatusData) => renderNow((url) => <StatusPage data={data} publicUrl={url} />),
      service: (data: ServiceData) => renderNow((url) => <ServicePage data={data} publicUrl={url} />),
      history: (data: HistoryData) => renderNow((url) => <HistoryPage data={data} publicUrl={url} />),
    },
    ...listPages(view, render),
    ...recordPages(render),
    ...siteDocuments(site, place),
    overview: (data: OverviewData) => render((url) => <OverviewPage data={data} publicUrl={url} />),
    status: (data: StatusData) => render((url) => <StatusPage data={data} publicUrl={url} />),
    service: (data: ServiceData) => render((url) => <ServicePage data={data} publicUrl={url} />),
    incident: (data: IncidentData) => render((url) => <IncidentPage data={data} publicUrl={url} />),
    history: (data: HistoryData) => render((url) => <HistoryPage data={data} publicUrl={url} />),
    repositories: (data: ListData<Repository>) => render((url) => <RepositoriesPage data={data} publicUrl={url} />),
    repository: (data: HubData) => render((url) => <HubPage data={data} publicUrl={url} />),
    search: (data: SearchData) => render((url) => <SearchPage data={data} publicUrl={url} />),
    about: (data: AboutData) => render((url) => <AboutPage data={data} publicUrl={url} />),
    error: (data: ErrorData) => renderNow((url) => <ErrorPage data={data} publicUrl={url} />),
    /** The same page, marked as a copy of that time. */
    asLastGood: (html: string, madeAt: Instant) => html.replace(PLACE, () => rendered(view, <LastGoodNotice madeAt={madeAt} />)),
  };
}

type Render<Page> = (page: (publicUrl: string) => ComponentChild) => Page;

function listPages(view: View, render: Render<Promise<string>>) {
  const list =
    <Item,>(name: ListName, entryOf: (item: Item, view: View) => Entry) =>
    (data: ListData<Item>): Promise<string> =>
      render((url) => (
        <ListPage name={name} data={data} publicUrl={url}>
          <DayList entries={data.items.map((item) => entryOf(item, view))} />
        </ListPage>
      ));
  return {
    commits: list<WithRepository<Commit>>('commits', commitEntry),
    releases: (data: ListData<WithRepository<Release>>) => render((url) => <ReleasesPage data={data} publicUrl={url} />),
    findings: list<WithRepository<Finding>>('findings', findingEntry),
    missions: list<WithOptionalRepository<Mission>>('missions', missionEntry),
    news: list<News>('news', newsEntry),
    articles: list<WithOptionalRepository<Article>>('articles', articleEntry),
    videos: list<WithOptionalRepository<Video>>('videos', videoEntry),
  };
}

function recordPages(render: Render<Promise<string>>) {
  return {
    commit: (data: RecordData<WithRepository<Commit>>) => render((url) => <CommitPage data={data} publicUrl={url} />),
    release: (data: ReleaseData) => render((url) => <ReleasePage data={data} publicUrl={url} />),
    finding: (data: RecordData<WithRepository<Finding>>) => render((url) => <FindingPage data={data} publicUrl={url} />),
    mission: (data: RecordData<WithOptionalRepository<Mission>>) => render((url) => <MissionPage data={data} publicUrl={url} />),
    newsRecord: (data: RecordData<News>) => render((url) => <NewsPage data={data} publicUrl={url} />),
    article: (data: RecordData<WithOptionalRepository<Article>>) => render((url) => <ArticlePage data={data} publicUrl={url} />),
    video: (data: RecordData<WithOptionalRepository<Video>>) => render((url) => <VideoPage data={data} publicUrl={url} />),
  };
}

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

function rendered(view: View, content: ComponentChild): string {
  return renderToString(<ViewContext.Provider value={view}>{content}</ViewContext.Provider>);
}
