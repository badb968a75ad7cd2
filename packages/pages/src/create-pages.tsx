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
import { articleEntry, newsEntry, videoEntry } from './components/content-entries.js';
import { commitEntry, findingEntry, missionEntry, releaseEntry } from './components/development-entries.js';
import type { Entry } from './components/entry-list.js';
import { LAST_GOOD_PLACE, LastGoodNotice } from './components/notices.js';
import type { RecordData } from './components/record-page.js';
import { favicon } from './documents/favicon.js';
import { policyOf } from './documents/policy.js';
import { manifest, robots, siteMap, type SiteMapData } from './documents/site-documents.js';
import type { ListName } from './page-links.js';
import { AboutPage, type AboutData } from './pages/about-page.js';
import { ArticlePage, NewsPage, VideoPage } from './pages/content-record-pages.js';
import { CommitPage, FindingPage, MissionPage, ReleasePage } from './pages/development-record-pages.js';
import { ErrorPage, type ErrorData } from './pages/error-page.js';
import { HistoryPage, type HistoryData } from './pages/history-page.js';
import { HubPage, type HubData } from './pages/hub-page.js';
import { IncidentPage, type IncidentData } from './pages/incident-page.js';
import { ListPage, type ListData } from './pages/list-page.js';
import { OverviewPage, type OverviewData } from './pages/overview-page.js';
import { RepositoriesPage } from './pages/repositories-page.js';
import { SearchPage, type SearchData } from './pages/search-page.js';
import { ServicePage, type ServiceData } from './pages/service-page.js';
import { StatusPage, type StatusData } from './pages/status-page.js';
import type { Place, Site } from './site.js';
import { ViewContext, viewOf, type View } from './view.js';

/** The pages of one site: data in, HTML out. */
export type Pages = ReturnType<typeof createPages>;

const PLACE = `<span hidden>${LAST_GOOD_PLACE}</span>`;

/** @throws RangeError for an unknown time zone */
export function createPages(site: Site, place: Place) {
  const { publicUrl } = place;
  const view = viewOf(site, place);
  const render = (page: (publicUrl: string) => ComponentChild): string => `<!doctype html>${rendered(view, page(publicUrl()))}`;
  return {
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
    error: (data: ErrorData) => render((url) => <ErrorPage data={data} publicUrl={url} />),
    /** The same page, marked as a copy of that time. */
    asLastGood: (html: string, madeAt: Instant) => html.replace(PLACE, () => rendered(view, <LastGoodNotice madeAt={madeAt} />)),
  };
}

type Render = (page: (publicUrl: string) => ComponentChild) => string;

function listPages(view: View, render: Render) {
  const list =
    <Item,>(name: Exclude<ListName, 'repositories'>, entryOf: (item: Item, view: View) => Entry) =>
    (data: ListData<Item>): string =>
      render((url) => <ListPage name={name} data={data} entries={data.items.map((item) => entryOf(item, view))} publicUrl={url} />);
  return {
    commits: list<WithRepository<Commit>>('commits', commitEntry),
    releases: list<WithRepository<Release>>('releases', releaseEntry),
    findings: list<WithRepository<Finding>>('findings', findingEntry),
    missions: list<WithOptionalRepository<Mission>>('missions', missionEntry),
    news: list<News>('news', newsEntry),
    articles: list<WithOptionalRepository<Article>>('articles', articleEntry),
    videos: list<WithOptionalRepository<Video>>('videos', videoEntry),
  };
}

function recordPages(render: Render) {
  return {
    commit: (data: RecordData<WithRepository<Commit>>) => render((url) => <CommitPage data={data} publicUrl={url} />),
    release: (data: RecordData<WithRepository<Release>>) => render((url) => <ReleasePage data={data} publicUrl={url} />),
    finding: (data: RecordData<WithRepository<Finding>>) => render((url) => <FindingPage data={data} publicUrl={url} />),
    mission: (data: RecordData<WithOptionalRepository<Mission>>) => render((url) => <MissionPage data={data} publicUrl={url} />),
    newsRecord: (data: RecordData<News>) => render((url) => <NewsPage data={data} publicUrl={url} />),
    article: (data: RecordData<WithOptionalRepository<Article>>) => render((url) => <ArticlePage data={data} publicUrl={url} />),
    video: (data: RecordData<WithOptionalRepository<Video>>) => render((url) => <VideoPage data={data} publicUrl={url} />),
  };
}

/** What pages load, and what programs read of a site. */
function siteDocuments(site: Site, place: Place) {
  return {
    policy: policyOf(site),
    assets: Object.values<Asset>({ ...assets(site) }),
    logo: site.logo,
    manifest: manifest(site, place.basePath),
    robots: () => robots(place),
    favicon: (state: ServiceState) => favicon(state),
    siteMap: (data: SiteMapData) => siteMap(data, place),
  };
}

function rendered(view: View, content: ComponentChild): string {
  return renderToString(<ViewContext.Provider value={view}>{content}</ViewContext.Provider>);
}
