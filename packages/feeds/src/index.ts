export { badgeJson, badgeSvg, type Badge, type BadgeStyle } from './badges/badge.js';
export { activityBadge, releaseBadge, responseBadge, stateBadge, statusBadge, uptimeBadge } from './badges/badges.js';
export { maintenanceCalendar } from './calendar/maintenance-calendar.js';
export { atomFeed } from './feeds/atom-feed.js';
export {
  articleEntry,
  commitEntry,
  findingEntry,
  incidentEntry,
  newsEntry,
  releaseEntry,
  videoEntry,
  type EntryLinks,
  type FeedType,
} from './feeds/entries.js';
export type { Feed, FeedEntry } from './feeds/feed.js';
export { jsonFeed } from './feeds/json-feed.js';
