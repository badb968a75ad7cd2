export type { Asset } from './assets.js';
export type { ActivityDay } from './components/calendar.js';
export type { Currency } from './components/notices.js';
export type { DaysByService } from './components/service-list.js';
export { createPages, type Pages } from './create-pages.js';
export type { ErrorData } from './pages/error-page.js';
export type { OverviewData } from './pages/overview-page.js';
export { DEFAULT_SITE, LANGUAGES, type Language, type Logo, type Place, type Site, type SiteLink } from './site.js';
