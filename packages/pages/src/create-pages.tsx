import type {
  Article,
  Commit,
  Finding,
  Instant,
  Mission,
  News,
  Release,
  Repository,
  SearchResult,
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
import { ArticlePage, articleText, NewsPage, VideoPage } from './pages/content-record-pages.js';
import { CommitPage, FindingPage, MissionPage, ReleasePage } from './pages/development-record-pages.js';
import { ErrorPage, type ErrorData } from './pages/error-page.js';
import { HistoryPage, type HistoryData } from './pages/history-page.js';
import { HubPage, type HubData } from './pages/hub-page.js';
import { IncidentPage, type IncidentData } from './pages/incident-page.js';
import { ListPage, type ListData } from './pages/list-page.js';
import { OverviewPage, type OverviewData } from './pages/overview-page.js';
import { RepositoriesPage } from './pages/repositories-page.js';
import { hasMarkdown, SearchPage, type SearchData } from './pages/search-page.js';
import { ServicePage, type ServiceData } from './pages/service-page.js';
import { StatusPage, type StatusData } from './pages/status-page.js';
import type { Place, Site } from './site.js';
import type { TextRenderer, TextTask } from './text/text-renderer.js';
import { WorkerTextRenderer } from './text/worker-text-renderer.js';
import { ViewContext, viewOf, type View } from './view.js';

/** The pages of one site: data in, HTML out. The pages that show Markdown or HTML of a record are promises of it. */
export type Pages = ReturnType<typeof createPages>;

const PLACE = `<span hidden>${LAST_GOOD_PLACE}</span>`;

/**
 * @param texts renders the texts of records; by default in a thread of its own
 * @throws RangeError for an unknown time zone
 */
export function createPages(site: Site, place: Place, texts: TextRenderer = new WorkerTextRenderer()) {
  const { publicUrl } = place;
  const view = viewOf(site, place);
  const render = (page: (publicUrl: string) => ComponentChild): string => `<!doctype html>${rendered(view, page(publicUrl()))}`;
  return {
    ...listPages(view, render),
    ...recordPages(render),
    ...textPages(site, render, texts),
    ...siteDocuments(site, place),
    overview: (data: OverviewData) => render((url) => <OverviewPage data={data} publicUrl={url} />),
    status: (data: StatusData) => render((url) => <StatusPage data={data} publicUrl={url} />),
    service: (data: ServiceData) => render((url) => <ServicePage data={data} publicUrl={url} />),
    incident: (data: IncidentData) => render((url) => <IncidentPage data={data} publicUrl={url} />),
    history: (data: HistoryData) => render((url) => <HistoryPage data={data} publicUrl={url} />),
    repositories: (data: ListData<Repository>) => render((url) => <RepositoriesPage data={data} publicUrl={url} />),
    repository: (data: HubData) => render((url) => <HubPage data={data} publicUrl={url} />),
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
    finding: (data: RecordData<WithRepository<Finding>>) => render((url) => <FindingPage data={data} publicUrl={url} />),
    mission: (data: RecordData<WithOptionalRepository<Mission>>) => render((url) => <MissionPage data={data} publicUrl={url} />),
    newsRecord: (data: RecordData<News>) => render((url) => <NewsPage data={data} publicUrl={url} />),
    video: (data: RecordData<WithOptionalRepository<Video>>) => render((url) => <VideoPage data={data} publicUrl={url} />),
  };
}

/** First the texts of a page are rendered, then the page. */
function textPages({ images }: Site, render: Render, texts: TextRenderer) {
  const rendered = (text: string, form: TextTask['form']): Promise<string | null> => texts.render({ text, form, images });
  const excerptOf = async (result: SearchResult) => (hasMarkdown(result) ? rendered(result.description, 'excerpt') : null);
  return {
    release: async (data: RecordData<WithRepository<Release>>) => {
      const body = await rendered(data.item.record.body, 'markdown');
      return render((url) => <ReleasePage data={data} body={body} publicUrl={url} />);
    },
    article: async (data: RecordData<WithOptionalRepository<Article>>) => {
      const { record } = data.item;
      const body = record.bodyFormat === 'text' ? null : await rendered(articleText(record), record.bodyFormat);
      return render((url) => <ArticlePage data={data} body={body} publicUrl={url} />);
    },
    search: async (data: SearchData) => {
      const excerpts = await Promise.all(data.results.map((result) => excerptOf(result)));
      return render((url) => <SearchPage data={data} excerpts={excerpts} publicUrl={url} />);
    },
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
