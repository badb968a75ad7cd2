import type { Instant, Overview } from '@vitrine/core';
import { presentNews } from './content.js';
import { presentCommit, presentFinding, presentRelease } from './development.js';
import { presentStatus } from './status.js';

export function presentOverview(overview: Overview, statusUrl: string, generatedAt: Instant) {
  const { status, latestCommit, latestRelease, latestFinding } = overview;
  return {
    status: status === null ? null : presentStatus(status, statusUrl, generatedAt),
    latestCommit: latestCommit === null ? null : presentCommit(latestCommit),
    latestRelease: latestRelease === null ? null : presentRelease(latestRelease),
    latestFinding: latestFinding === null ? null : presentFinding(latestFinding),
    latestNews: overview.latestNews.map(presentNews),
    partial: overview.partial,
  };
}
