import { type Build, BUILD_STATES, type WithRepository } from '@vitrine/core';
import { shaText } from './commits.js';
import { ownRepository, presentRepository, repositorySchema } from './repositories.js';
import { type Links, presentOptionalInstant, presentProvenance } from './shared/present.js';
import { closed, instant, integer, named, nullable, optional, provenance, provenanceSchema, text, url } from './shared/schema.js';

export const buildSchema = named(
  'Build',
  'A run of a build of an approved repository.',
  {
    id: text('Stable public id.', 'bld_19844420017'),
    name: text('Name of the workflow.', 'CI'),
    number: nullable(integer('Number of the run.', 412)),
    state: closed('State of the run.', BUILD_STATES, 'succeeded'),
    trigger: nullable(text('What started it.', 'push')),
    branch: nullable(text('Branch that was built.', 'main')),
    commitSha: optional(shaText('Commit that was built; left out when unknown.')),
    platform: nullable(text('Platform that was built for.', 'linux'), null),
    version: nullable(text('Version that was built.', '2.1.0'), null),
    startedAt: nullable(instant('When it started.', '2026-11-20T13:42:10.000Z')),
    finishedAt: nullable(instant('When it ended.', '2026-11-20T13:47:55.000Z')),
    durationSeconds: nullable({ schema: { type: 'number', description: 'How long it ran, in seconds.', minimum: 0 }, example: 345 }),
    url: url('Public address of the run.', 'https://github.com/acme/widget/actions/runs/19844420017'),
    repository: ownRepository,
    provenance,
  },
  [repositorySchema, provenanceSchema],
);

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
