export { BADGE_STYLES, badgeJson, badgeSvg, type Badge, type BadgeStyle } from './badges.js';
export { activityBadge, releaseBadge, responseBadge, stateBadge, statusBadge, uptimeBadge } from './badges.js';
export { maintenanceCalendar } from './maintenance-calendar.js';
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
} from './entries.js';
export { atomFeed, jsonFeed, type Feed, type FeedEntry } from './feed.js';
