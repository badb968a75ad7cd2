import { SOURCE_STATES, SOURCE_TYPES, SYNCED_KINDS } from '@vitrine/core';
import { closed, instant, integer, list, named, nullable, open, ref, text } from './schema.js';
import { provenanceSchema } from './shared.js';

export const sourceSchema = named(
  'Source',
  'Something that records come from, with how current it is.',
  {
    id: text('Stable id: `type:owner/name`, `type:service-key` or `type:label`.', 'git:acme/widget'),
    sourceType: open('What kind of source it is.', SOURCE_TYPES, 'git'),
    label: text('Human label.', 'acme/widget'),
    feeds: list('The kinds of records that it brings.', open('A kind of record.', SYNCED_KINDS, 'commit')),
    repository: nullable(text('`owner/name` of the repository that it feeds; `null` when none in particular.', 'acme/widget')),
    service: nullable(text('Key of the service that it checks; `null` when none.', 'acme:widget-api'), null),
    state: closed(
      '`pending`: no run has ended yet. `failing`: the last run failed. `late`: no run has completed for more than twice the interval, and two minutes; or the last one is dated in the future by more than the interval, and two minutes. `fresh`: none of these.',
      SOURCE_STATES,
      'fresh',
    ),
    lastSuccessAt: nullable(instant('Start of the last run that completed; `null` before the first.', '2026-11-20T13:58:02.114Z')),
    lastAttemptAt: nullable(instant('Start of the last run that ended; `null` before the first.', '2026-11-20T13:58:02.114Z')),
    intervalSeconds: integer('Time from one run to the next, in seconds.', 300),
    provenance: ref(provenanceSchema, 'Vitrine itself is the origin of the state of its sources.'),
  },
  [provenanceSchema],
);
