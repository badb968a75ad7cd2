import type { Overview } from '@vitrine/core';
import { presentNews } from './content.js';
import { presentCommit, presentFinding, presentRelease } from './development.js';
import { presentStatus, type StatusContext } from './status.js';

export function presentOverview(overview: Overview, context: StatusContext) {
  const { links } = context;
  const { status, latestCommit, latestRelease, latestFinding } = overview;
  return {
    status: status === null ? null : presentStatus(status, context),
    latestCommit: latestCommit === null ? null : presentCommit(latestCommit, links),
    latestRelease: latestRelease === null ? null : presentRelease(latestRelease, links),
    latestFinding: latestFinding === null ? null : presentFinding(latestFinding, links),
    latestNews: overview.latestNews.map((record) => presentNews(record, links)),
    partial: overview.partial,
  };
}
