import { kindSchema } from './shared/kind-schema.js';
import { type Build, type WithRepository } from '@vitrine/core';
import { ownRepository, presentRepository, repositorySchema } from './repositories.js';
import { type Links, presentOptionalInstant, presentProvenance } from './shared/present.js';
import { provenanceSchema } from './shared/schema.js';

export const buildSchema = kindSchema(['Build', 'A run of a build of an approved repository.'], 'build', { repository: ownRepository }, [
  repositorySchema,
  provenanceSchema,
]);

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
