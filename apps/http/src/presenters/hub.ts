import type { RepositoryHub } from '@vitrine/core';
import { presentBuild, presentCommit, presentFinding, presentMission, presentRelease } from './development.js';
import { presentRepository } from './repository.js';

/** Paths of the whole lists. */
export interface HubLinks {
  readonly commits: string;
  readonly releases: string;
  readonly findings: string;
  readonly missions: string;
}

export function presentHub(hub: RepositoryHub, { commits, releases, findings, missions }: HubLinks) {
  const { repository } = hub;
  return {
    repository: presentRepository(repository),
    commits: hub.commits.map((record) => presentCommit({ record, repository })),
    releases: hub.releases.map((record) => presentRelease({ record, repository })),
    findings: hub.findings.map((record) => presentFinding({ record, repository })),
    builds: hub.builds.map((record) => presentBuild({ record, repository })),
    missions: hub.missions.map((record) => presentMission({ record, repository })),
    partial: hub.partial,
    links: { commits, releases, findings, missions },
  };
}
