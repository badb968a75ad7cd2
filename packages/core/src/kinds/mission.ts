import { choice, fixed, leftOut, list, nullable, part, percent, someRepository, text, time, whole } from './fields.js';
import type { KindFacts, WithFields } from './fields.js';
import { origin } from './provenance.js';

export const MISSION_STATUSES = ['planned', 'active', 'paused', 'completed', 'cancelled'] as const;
export type MissionStatus = (typeof MISSION_STATUSES)[number];

const fields = {
  repositoryRef: someRepository,
  id: text('id', 'Stable public id.', 'msn_public-read-api'),
  title: text('title', 'Title of the goal.', 'Public read API for the widget'),
  summary: leftOut('blank', text('body', 'The goal in a few sentences.', 'Serve development activity without accounts.')),
  status: choice(MISSION_STATUSES, 'Status of the mission.', 'active'),
  progress: part(
    'completed, total and percent',
    {
      completed: whole('Steps that are done.', 14),
      total: whole('Steps in all. 0 if no number is known.', 20),
      percent: percent('Share that is done, 0 to 100.', 70),
    },
    'Progress.',
  ),
  labels: list('labels', text('line', 'One label.', 'api'), 'Labels.'),
  /** Never changes once stored, because lists are sorted by it. */
  createdAt: fixed(leftOut('now', time('When it was first stored.', '2026-10-01T08:00:00.000Z'))),
  startedAt: nullable(time('When work began.', '2026-10-01T00:00:00.000Z')),
  targetAt: nullable(time('Planned date of completion.', '2026-12-15T00:00:00.000Z')),
  completedAt: nullable(time('When it was completed.', '2026-12-10T00:00:00.000Z'), null),
  url: text('url', 'Public address of the mission.', 'https://github.com/acme/widget/milestone/7'),
  provenance: origin,
};

export interface Mission extends WithFields<typeof fields> {
  readonly kind: 'mission';
}

export const MISSION_FACTS = {
  plural: 'missions',
  ownership: 'sometimes',
  reader: 'record',
  times: ['createdAt'],
  filters: { status: 'status' },
  searched: { title: 'title', summary: 'text', labels: 'text', 'repository.fullName': 'text' },
  sent: [
    'id',
    'title',
    'summary',
    'status',
    'progress',
    'labels',
    'createdAt',
    'startedAt',
    'targetAt',
    'completedAt',
    'url',
    'repository',
    'provenance',
    'href',
  ],
  fields,
} as const satisfies KindFacts<Mission>;
