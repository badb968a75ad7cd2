import { leftOut, list, nullable, ownRepository, text, time, whole, type KindFacts, type WithFields } from './fields.js';
import { origin } from './provenance.js';

export const MAX_CHANGED_PATHS = 50;

const SHA = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
const ABBREVIATION = /^[0-9a-f]{7,64}$/;

/** Whether the text is a full commit id: 40 or 64 lower-case hexadecimal digits. */
export function isSha(text: string): boolean {
  return SHA.test(text);
}

/** Returns a full sha, or an abbreviation of at least 7 digits, in lower case; `null` for any other text. */
export function parseShaPrefix(text: string): string | null {
  const lower = text.toLowerCase();
  return ABBREVIATION.test(lower) && lower.length === text.length ? lower : null;
}

/** The known values of `changeType`. */
export const CHANGE_TYPES = [
  'feature',
  'fix',
  'docs',
  'tests',
  'refactor',
  'performance',
  'build',
  'ci',
  'dependencies',
  'security',
  'revert',
  'chore',
  'other',
] as const;

const fields = {
  repositoryRef: ownRepository,
  /** 40 or 64 lower-case hexadecimal digits. */
  sha: text('sha', 'Commit identifier: 40 or 64 lower-case hexadecimal digits.', '9f1c2d3e4b5a69788796a5b4c3d2e1f001122334'),
  title: text('line', 'First line of the message.', 'Add keyset index for widget commits'),
  description: leftOut('blank', text('body', 'The rest of the message, without e-mail addresses.', 'Adds (committedAt, sha).')),
  authorName: text('author', 'Name of the author.', 'Ada Example'),
  /** `""` when unknown. */
  authorLogin: leftOut('blank', text('short', 'Login of the author; empty when unknown.', 'ada')),
  /** The default branch if it contains the commit, otherwise the first branch by name that contains it. */
  branch: nullable(text('branch', 'The default branch if it holds the commit, else the first such branch by name.', 'main')),
  additions: whole('Lines added.', 42),
  deletions: whole('Lines removed.', 7),
  filesChanged: whole('Files changed.', 3),
  /** One of {@link CHANGE_TYPES}; other values may be added. `null` if unclassified. */
  changeType: leftOut('derived', nullable(text('word', 'Classification of the change; `null` when unclassified.', 'performance', CHANGE_TYPES))),
  committedAt: time('When it was committed.', '2026-11-20T13:41:52.000Z'),
  /** At most {@link MAX_CHANGED_PATHS}. Used to derive the change type; no response contains them. */
  changedPaths: list('changed paths', text('path', 'Path of a changed file.', 'src/index.ts'), 'Changed files.', MAX_CHANGED_PATHS),
  provenance: origin,
};

export interface Commit extends WithFields<typeof fields> {
  readonly kind: 'commit';
}

export const COMMIT_FACTS = {
  plural: 'commits',
  ownership: 'always',
  reader: 'own',
  times: ['committedAt'],
  filters: { author: 'author', changeType: 'changeType', branch: 'branch' },
  searched: { title: 'title', description: 'text', sha: 'title', authorName: 'text', authorLogin: 'text', 'repository.fullName': 'text' },
  sent: [
    'sha',
    'title',
    'description',
    'authorName',
    'authorLogin',
    'branch',
    'additions',
    'deletions',
    'filesChanged',
    'changeType',
    'committedAt',
    'repository',
    'provenance',
    'href',
  ],
  fields,
} as const satisfies KindFacts<Commit>;
