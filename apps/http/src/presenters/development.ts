import {
  formatDate,
  type ActivityDay,
  type Build,
  type Commit,
  type Finding,
  type Mission,
  type Release,
  type WithOptionalRepository,
  type WithRepository,
} from '@vitrine/core';
import type { Links } from './links.js';
import { presentProvenance } from './provenance.js';
import { presentOptionalRepository, presentRepository } from './repository.js';
import { presentInstant, presentOptionalInstant } from './instant.js';

function presentActivityDay({ day, commits, releases }: ActivityDay) {
  return { date: formatDate(day), commits, releases };
}

export function presentCommit({ record, repository }: WithRepository<Commit>, links: Links) {
  return {
    sha: record.sha,
    title: record.title,
    description: record.description,
    authorName: record.authorName,
    authorLogin: record.authorLogin,
    branch: record.branch,
    additions: record.additions,
    deletions: record.deletions,
    filesChanged: record.filesChanged,
    changeType: record.changeType,
    committedAt: presentInstant(record.committedAt),
    repository: presentRepository(repository, links),
    provenance: presentProvenance(record.provenance),
    href: links.record('commit', `${repository.fullName}@${record.sha}`),
  };
}

export function presentRelease({ record, repository }: WithRepository<Release>, links: Links) {
  return {
    tagName: record.tagName,
    name: record.name,
    body: record.body,
    platform: record.platform,
    releaseType: record.releaseType,
    publishedAt: presentInstant(record.publishedAt),
    repository: presentRepository(repository, links),
    sourceUrl: record.sourceUrl,
    provenance: presentProvenance(record.provenance),
    id: record.id,
    ...(record.assets !== undefined && { assets: record.assets.map(({ name, platform, size, url }) => ({ name, platform, size, url })) }),
    href: links.record('release', record.id),
  };
}

export function presentFinding({ record, repository }: WithRepository<Finding>, links: Links) {
  const { branch, additions, deletions, files, commitSha } = record.evidence;
  return {
    title: record.title,
    summary: record.summary,
    status: record.status,
    changeType: record.changeType,
    evidence: { branch, additions, deletions, files, ...(commitSha === undefined ? {} : { commitSha }) },
    detectedAt: presentInstant(record.detectedAt),
    repository: presentRepository(repository, links),
    sourceUrl: record.sourceUrl,
    provenance: presentProvenance(record.provenance),
    id: record.id,
    href: links.record('finding', record.id),
  };
}

export function presentBuild({ record, repository }: WithRepository<Build>, links: Links) {
  return {
    id: record.id,
    name: record.name,
    number: record.number,
    state: record.state,
    trigger: record.trigger,
    branch: record.branch,
    ...(record.commitSha === undefined ? {} : { commitSha: record.commitSha }),
    platform: record.platform,
    version: record.version,
    startedAt: presentOptionalInstant(record.startedAt),
    finishedAt: presentOptionalInstant(record.finishedAt),
    durationSeconds: record.durationSeconds,
    url: record.url,
    repository: presentRepository(repository, links),
    provenance: presentProvenance(record.provenance),
  };
}

export function presentMission({ record, repository }: WithOptionalRepository<Mission>, links: Links) {
  const { completed, total, percent } = record.progress;
  return {
    id: record.id,
    title: record.title,
    summary: record.summary,
    status: record.status,
    progress: { completed, total, percent },
    labels: record.labels,
    createdAt: presentInstant(record.createdAt),
    startedAt: presentOptionalInstant(record.startedAt),
    targetAt: presentOptionalInstant(record.targetAt),
    completedAt: presentOptionalInstant(record.completedAt),
    url: record.url,
    repository: presentOptionalRepository(repository, links),
    provenance: presentProvenance(record.provenance),
    href: links.record('mission', record.id),
  };
}

/** The presenters of this topic, by kind. */
export function developmentPresenters(links: Links) {
  return {
    activityDay: (counted: ActivityDay) => presentActivityDay(counted),
    commit: (view: WithRepository<Commit>) => presentCommit(view, links),
    release: (view: WithRepository<Release>) => presentRelease(view, links),
    finding: (view: WithRepository<Finding>) => presentFinding(view, links),
    build: (view: WithRepository<Build>) => presentBuild(view, links),
    mission: (view: WithOptionalRepository<Mission>) => presentMission(view, links),
  };
}
