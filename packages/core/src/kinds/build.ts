import { choice, nullable, ifKnown, ownRepository, seconds, text, time, whole, type KindFacts, type WithFields } from './fields.js';
import { origin } from './provenance.js';

export const BUILD_STATES = ['queued', 'running', 'succeeded', 'failed', 'cancelled', 'skipped', 'unknown'] as const;
export type BuildState = (typeof BUILD_STATES)[number];

const fields = {
  repositoryRef: ownRepository,
  id: text('id', 'Stable public id.', 'bld_19844420017'),
  name: text('title', 'Name of the workflow.', 'CI'),
  number: nullable(whole('Number of the run.', 412)),
  state: choice(BUILD_STATES, 'State of the run.', 'succeeded'),
  trigger: nullable(text('short', 'What started it.', 'push')),
  branch: nullable(text('branch', 'Branch that was built.', 'main')),
  /** Present only if the source states it. */
  commitSha: ifKnown(text('sha', 'Commit that was built; left out when unknown.', '9f1c2d3e4b5a69788796a5b4c3d2e1f001122334')),
  platform: nullable(text('word', 'Platform that was built for.', 'linux'), null),
  version: nullable(text('short', 'Version that was built.', '2.1.0'), null),
  startedAt: nullable(time('When it started.', '2026-11-20T13:42:10.000Z')),
  finishedAt: nullable(time('When it ended.', '2026-11-20T13:47:55.000Z')),
  durationSeconds: nullable(seconds('How long it ran, in seconds.', 345)),
  url: text('url', 'Public address of the run.', 'https://github.com/acme/widget/actions/runs/19844420017'),
  provenance: origin,
};

export interface Build extends WithFields<typeof fields> {
  readonly kind: 'build';
}

export const BUILD_FACTS = {
  plural: 'builds',
  ownership: 'always',
  reader: 'list',
  times: ['startedAt', 'finishedAt'],
  filters: { branch: 'branch', state: 'state' },
  searched: {},
  sent: [
    'id',
    'name',
    'number',
    'state',
    'trigger',
    'branch',
    'commitSha',
    'platform',
    'version',
    'startedAt',
    'finishedAt',
    'durationSeconds',
    'url',
    'repository',
    'provenance',
  ],
  fields,
} as const satisfies KindFacts<Build>;
