import { CHANGE_TYPES } from './commit.js';
import { list, optional, ownRepository, part, text, time, whole, type KindFacts, type ValueOf, type WithFields } from './fields.js';
import { origin } from './provenance.js';

/** The known values of `status`. */
export const FINDING_STATUSES = ['EXPERIMENTAL', 'CONFIRMED', 'RELEASED', 'RETRACTED'] as const;

const evidence = part(
  'branch, additions, deletions and files',
  {
    branch: text('requiredBranch', 'Branch of the evidence.', 'keyset'),
    additions: whole('Lines added.', 120),
    deletions: whole('Lines removed.', 4),
    files: list('changed paths', text('path', 'Path of a changed file.', 'packages/core/test/cursor.spec.ts'), 'Changed files.'),
    commitSha: optional(
      text('sha', 'The commit of the evidence; left out unless the relationship is stored.', '9f1c2d3e4b5a69788796a5b4c3d2e1f001122334'),
    ),
  },
  'The evidence for the finding.',
);
export type FindingEvidence = ValueOf<typeof evidence>;

const fields = {
  repositoryRef: ownRepository,
  id: text('id', 'Stable public id.', 'fnd_7k2m9q'),
  title: text('title', 'What was found.', 'Keyset paging tests added'),
  summary: text('body', 'The finding in a few sentences.', 'New tests of the widget cover cursor stability under inserts.'),
  status: text('word', 'Status of the finding.', 'EXPERIMENTAL', FINDING_STATUSES),
  changeType: text('word', 'Classification of the change.', 'tests', CHANGE_TYPES),
  evidence,
  detectedAt: time('When it was found.', '2026-11-20T13:50:00.000Z'),
  sourceUrl: text('url', 'Public address of the evidence.', 'https://github.com/acme/widget/commit/9f1c2d3e4b5a69788796a5b4c3d2e1f001122334'),
  provenance: origin,
};

export interface Finding extends WithFields<typeof fields> {
  readonly kind: 'finding';
}

export const FINDING_FACTS = {
  plural: 'findings',
  ownership: 'always',
  reader: 'record',
  times: ['detectedAt'],
  filters: { changeType: 'changeType', status: 'status' },
  searched: { title: 'title', summary: 'text', 'evidence.files': 'text', 'repository.fullName': 'text' },
  sent: ['title', 'summary', 'status', 'changeType', 'evidence', 'detectedAt', 'repository', 'sourceUrl', 'provenance', 'id', 'href'],
  fields,
} as const satisfies KindFacts<Finding>;
