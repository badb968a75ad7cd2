import { CHANGE_TYPES } from './commit.js';
import { list, ifKnown, ownRepository, part, text, time, whole, type KindFacts, type Field, type WithFields } from './fields.js';
import { origin } from './provenance.js';

/** The known values of `status`. */
export const FINDING_STATUSES = ['EXPERIMENTAL', 'CONFIRMED', 'RELEASED', 'RETRACTED'] as const;

const evidenceFields = {
  branch: text('requiredBranch', 'Branch of the evidence.', 'keyset'),
  additions: whole('Lines added.', 120),
  deletions: whole('Lines removed.', 4),
  /** The paths of the changed files. */
  files: list('changed paths', text('path', 'Path of a changed file.', 'packages/core/test/cursor.spec.ts'), 'Changed files.'),
  /** Present only if the collector stored this relationship explicitly. */
  commitSha: ifKnown(
    text('sha', 'The commit of the evidence; left out unless the relationship is stored.', '9f1c2d3e4b5a69788796a5b4c3d2e1f001122334'),
  ),
};
export interface FindingEvidence extends WithFields<typeof evidenceFields> {}
const evidence: Field<FindingEvidence> = part('branch, additions, deletions and files', evidenceFields, 'The evidence for the finding.');

const fields = {
  repositoryRef: ownRepository,
  id: text('id', 'Stable public id.', 'fnd_7k2m9q'),
  title: text('title', 'What was found.', 'Keyset paging tests added'),
  summary: text('body', 'The finding in a few sentences.', 'New tests of the widget cover cursor stability under inserts.'),
  /** One of {@link FINDING_STATUSES}; other values may be added. */
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
