export type { Asset } from './assets.js';
export type { ActivityDay } from './components/activity.js';
export type { FilterValues } from './components/filter-form.js';
export type { Currency } from './components/notices.js';
export type { RecordData } from './components/record-page.js';
export type { DaysByService } from './components/services.js';
export type { StripDay } from './components/strip.js';
export { createPages, type Pages } from './create-pages.js';
export type { SiteMapData } from './documents/site-documents.js';
export { PageLinks, type Href, type PageType } from './page-links.js';
export type { AboutData } from './pages/about-page.js';
export type { ErrorData } from './pages/error-page.js';
export type { HistoryData } from './pages/history-page.js';
export type { HubData } from './pages/hub-page.js';
export type { IncidentData } from './pages/incident-page.js';
export type { ListData } from './pages/list-page.js';
export type { OverviewData } from './pages/overview-page.js';
export type { ListAddress, PageAddress } from './pages/page-address.js';
export type { SearchData } from './pages/search-page.js';
export type { ServiceData } from './pages/service-page.js';
export type { StatusData } from './pages/status-page.js';
export {
  DEFAULT_SITE,
  LANGUAGES,
  PLACES,
  type Language,
  type Logo,
  type Place,
  type PlaceName,
  type Site,
  type SiteCopy,
  type SiteLink,
} from './site.js';
export type { TextRenderer, TextTask } from './text/text-renderer.js';
export { WorkerTextRenderer, type WorkerTextRendererOptions } from './text/worker-text-renderer.js';
