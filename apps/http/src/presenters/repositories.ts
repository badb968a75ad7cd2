import type { Repository, RepositoryHub } from '@vitrine/core';
import { presentBuild, presentCommit, presentFinding, presentMission, presentRelease } from './development.js';
import type { Links } from './links.js';
import { presentRepository } from './repository.js';

function presentHub(hub: RepositoryHub, links: Links) {
  const { repository } = hub;
  const { commits, releases, findings, missions } = links.lists(repository.fullName);
  return {
    repository: presentRepository(repository, links),
    commits: hub.commits.map((record) => presentCommit({ record, repository }, links)),
    releases: hub.releases.map((record) => presentRelease({ record, repository }, links)),
    findings: hub.findings.map((record) => presentFinding({ record, repository }, links)),
    builds: hub.builds.map((record) => presentBuild({ record, repository }, links)),
    missions: hub.missions.map((record) => presentMission({ record, repository }, links)),
    partial: hub.partial,
    links: { commits, releases, findings, missions },
  };
}

/** The presenters of repositories and their hubs. */
export function repositoryPresenters(links: Links) {
  return {
    repository: (repository: Repository) => presentRepository(repository, links),
    hub: (hub: RepositoryHub) => presentHub(hub, links),
  };
}
