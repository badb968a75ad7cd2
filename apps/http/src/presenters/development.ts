import { type Build, type Commit, type Finding, type Mission, type Release, type WithOptionalRepository, type WithRepository } from '@vitrine/core';
import { presentProvenance } from './provenance.js';
import { presentOptionalRepository, presentRepository } from './repository.js';
import { presentInstant, presentOptionalInstant } from './instant.js';

export function presentCommit({ record, repository }: WithRepository<Commit>) {
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
    repository: presentRepository(repository),
    provenance: presentProvenance(record.provenance),
  };
}

export function presentRelease({ record, repository }: WithRepository<Release>) {
  return {
    tagName: record.tagName,
    name: record.name,
    body: record.body,
    platform: record.platform,
    releaseType: record.releaseType,
    publishedAt: presentInstant(record.publishedAt),
    repository: presentRepository(repository),
    sourceUrl: record.sourceUrl,
    provenance: presentProvenance(record.provenance),
    id: record.id,
  };
}

export function presentFinding({ record, repository }: WithRepository<Finding>) {
  const { branch, additions, deletions, files, commitSha } = record.evidence;
  return {
    title: record.title,
    summary: record.summary,
    status: record.status,
    changeType: record.changeType,
    evidence: { branch, additions, deletions, files, ...(commitSha === undefined ? {} : { commitSha }) },
    detectedAt: presentInstant(record.detectedAt),
    repository: presentRepository(repository),
    sourceUrl: record.sourceUrl,
    provenance: presentProvenance(record.provenance),
    id: record.id,
  };
}

export function presentBuild({ record, repository }: WithRepository<Build>) {
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
    repository: presentRepository(repository),
    provenance: presentProvenance(record.provenance),
  };
}

export function presentMission({ record, repository }: WithOptionalRepository<Mission>) {
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
    repository: presentOptionalRepository(repository),
    provenance: presentProvenance(record.provenance),
  };
}
