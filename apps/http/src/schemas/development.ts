import { BUILD_STATES, MISSION_STATUSES } from '@vitrine/core';
import { closed, instant, integer, list, named, nullable, open, optional, percent, record, ref, text, url } from './schema.js';
import { ownPath, provenanceSchema } from './shared.js';

const CHANGE_TYPES = [
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
const RELEASE_TYPES = ['stable', 'prerelease', 'rc', 'beta', 'alpha', 'nightly'] as const;
const FINDING_STATUSES = ['EXPERIMENTAL', 'CONFIRMED', 'RELEASED', 'RETRACTED'] as const;
const SHA = '9f1c2d3e4b5a69788796a5b4c3d2e1f001122334';
const COMMIT_URL = `https://github.com/acme/widget/commit/${SHA}`;
const RELEASE_URL = 'https://github.com/acme/widget/releases/tag/v2.1.0';
const MISSION_URL = 'https://github.com/acme/widget/milestone/7';

const provenance = ref(provenanceSchema, 'Where the record comes from.');
const shaText = (description: string) => text(description, SHA, { pattern: '^([0-9a-f]{40}|[0-9a-f]{64})$' });

const releaseSummarySchema = named('ReleaseSummary', 'The newest release of a repository, in short.', {
  tagName: text('Tag of the release.', 'v2.1.0'),
  name: text('Name of the release.', 'Widget 2.1.0'),
  releaseType: open('Maturity of the release.', RELEASE_TYPES, 'stable'),
  platform: nullable(text('Platform that it is for; `null` when for all.', 'linux'), null),
  publishedAt: instant('When it was published.', '2026-11-18T09:00:00.000Z'),
  sourceUrl: url('Public address of the release.', RELEASE_URL),
});

export const repositorySchema = named(
  'Repository',
  'A repository that is approved for public display.',
  {
    fullName: text('`owner/name`.', 'acme/widget'),
    owner: text('Owner part.', 'acme'),
    name: text('Name part.', 'widget'),
    defaultBranch: nullable(text('Default branch, if known.', 'main')),
    lastSyncedAt: instant(
      'When its sources last completed a run: the start of that run, the oldest if it has several sources. Until then, when it was first stored.',
      '2026-11-20T13:58:02.114Z',
    ),
    latestActivityAt: nullable(instant('Time of its newest commit or release; `null` when it has none.', '2026-11-20T13:41:52.000Z')),
    latestRelease: nullable(ref(releaseSummarySchema, 'Its newest release; `null` when it has none.')),
    provenance,
    description: optional(text('What its forge says that it is. Absent: no source tells.', 'Widgets for everybody')),
    language: optional(text('The language of most of its code, as its forge names it. Absent: no source tells.', 'TypeScript')),
    hubHref: text('Path of its hub: the newest records of each kind.', '/api/v1/repositories/acme/widget/hub', { format: 'uri-reference' }),
    href: ownPath('/api/v1/repositories/acme%2Fwidget'),
  },
  [releaseSummarySchema, provenanceSchema],
);

const repository = ref(repositorySchema, 'The repository that the record belongs to.');
export const optionalRepository = nullable(ref(repositorySchema, 'The repository that the record belongs to; `null` when to none.'));

export const activityDaySchema = named('ActivityDay', 'The commits and releases of one UTC day.', {
  date: text('The day, in UTC.', '2026-11-20', { format: 'date' }),
  commits: integer('Commits with their `committedAt` on this day; on the present day, those so far.', 12),
  releases: integer('Releases with their `publishedAt` on this day; on the present day, those so far.', 1),
});

export const commitSchema = named(
  'Commit',
  'A commit of an approved repository.',
  {
    sha: shaText('Commit identifier: 40 or 64 lower-case hexadecimal digits.'),
    title: text('First line of the message.', 'Add keyset index for widget commits'),
    description: text('The rest of the message, without e-mail addresses.', 'Adds (committedAt, sha).'),
    authorName: text('Name of the author.', 'Ada Example'),
    authorLogin: text('Login of the author; empty when unknown.', 'ada'),
    branch: nullable(text('The default branch if it holds the commit, else the first such branch by name.', 'main')),
    additions: integer('Lines added.', 42),
    deletions: integer('Lines removed.', 7),
    filesChanged: integer('Files changed.', 3),
    changeType: nullable(open('Classification of the change; `null` when unclassified.', CHANGE_TYPES, 'performance')),
    committedAt: instant('When it was committed.', '2026-11-20T13:41:52.000Z'),
    repository,
    provenance,
    href: text('Path of the record itself.', '/api/v1/development/commits/acme%2Fwidget%409f1c2d3e4b5a69788796a5b4c3d2e1f001122334', {
      format: 'uri-reference',
    }),
  },
  [repositorySchema, provenanceSchema],
);

export const releaseSchema = named(
  'Release',
  'A release of an approved repository.',
  {
    tagName: text('Tag of the release.', 'v2.1.0'),
    name: text('Name of the release.', 'Widget 2.1.0'),
    body: text('Text of the release, usually Markdown.', '### Fixed\n- Stable cursors'),
    platform: nullable(text('Platform that it is for; `null` when for all.', 'linux'), null),
    releaseType: open('Maturity of the release.', RELEASE_TYPES, 'stable'),
    publishedAt: instant('When it was published.', '2026-11-18T09:00:00.000Z'),
    repository,
    sourceUrl: url('Public address of the release.', RELEASE_URL),
    provenance,
    id: text('Stable public id: `owner/name@tag`.', 'acme/widget@v2.1.0'),
    assets: optional(
      list(
        'The files of the release. Absent: no source tells.',
        record(
          {
            name: text('Name of the file.', 'widget-linux-x64.tar.gz'),
            platform: nullable(text('What it runs on, if its name says so.', 'linux')),
            size: nullable(integer('Its size in bytes; `null` if that is not known.', 4_200_000)),
            url: url('Where it is.', `${RELEASE_URL.replace('/tag/', '/download/')}/widget-linux-x64.tar.gz`),
          },
          'A file.',
        ),
      ),
    ),
    href: ownPath('/api/v1/development/releases/acme%2Fwidget%40v2.1.0'),
  },
  [repositorySchema, provenanceSchema],
);

export const findingSchema = named(
  'Finding',
  'What the service concluded from public development activity.',
  {
    title: text('What was found.', 'Keyset paging tests added'),
    summary: text('The finding in a few sentences.', 'New tests of the widget cover cursor stability under inserts.'),
    status: open('Status of the finding.', FINDING_STATUSES, 'EXPERIMENTAL'),
    changeType: open('Classification of the change.', CHANGE_TYPES, 'tests'),
    evidence: record(
      {
        branch: text('Branch of the evidence.', 'keyset'),
        additions: integer('Lines added.', 120),
        deletions: integer('Lines removed.', 4),
        files: list('Changed files.', text('Path of a changed file.', 'packages/core/test/cursor.spec.ts')),
        commitSha: optional(shaText('The commit of the evidence; left out unless the relationship is stored.')),
      },
      'The evidence for the finding.',
    ),
    detectedAt: instant('When it was found.', '2026-11-20T13:50:00.000Z'),
    repository,
    sourceUrl: url('Public address of the evidence.', COMMIT_URL),
    provenance,
    id: text('Stable public id.', 'fnd_7k2m9q'),
    href: ownPath('/api/v1/development/findings/fnd_7k2m9q'),
  },
  [repositorySchema, provenanceSchema],
);

const buildSchema = named(
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
    repository,
    provenance,
  },
  [repositorySchema, provenanceSchema],
);

export const missionSchema = named(
  'Mission',
  'A public goal and its progress.',
  {
    id: text('Stable public id.', 'msn_public-read-api'),
    title: text('Title of the goal.', 'Public read API for the widget'),
    summary: text('The goal in a few sentences.', 'Serve development activity without accounts.'),
    status: closed('Status of the mission.', MISSION_STATUSES, 'active'),
    progress: record(
      { completed: integer('Steps that are done.', 14), total: integer('Steps in all.', 20), percent: percent('Share that is done, 0 to 100.', 70) },
      'Progress.',
    ),
    labels: list('Labels.', text('One label.', 'api')),
    createdAt: instant('When it was first stored.', '2026-10-01T08:00:00.000Z'),
    startedAt: nullable(instant('When work began.', '2026-10-01T00:00:00.000Z')),
    targetAt: nullable(instant('Planned date of completion.', '2026-12-15T00:00:00.000Z')),
    completedAt: nullable(instant('When it was completed.', '2026-12-10T00:00:00.000Z'), null),
    url: url('Public address of the mission.', MISSION_URL),
    repository: optionalRepository,
    provenance,
    href: ownPath('/api/v1/missions/msn_public-read-api'),
  },
  [repositorySchema, provenanceSchema],
);

const href = (what: string, example: string) => text(`Path of the list of all its ${what}.`, example, { format: 'uri-reference' });

export const hubSchema = named(
  'RepositoryHub',
  'A repository and the newest ten of each kind of its records.',
  {
    repository: ref(repositorySchema, 'The repository.'),
    commits: list('Newest commits.', ref(commitSchema, 'A commit.')),
    releases: list('Newest releases.', ref(releaseSchema, 'A release.')),
    findings: list('Newest findings.', ref(findingSchema, 'A finding.')),
    builds: list('Newest builds.', ref(buildSchema, 'A build.')),
    missions: list('Newest missions.', ref(missionSchema, 'A mission.')),
    partial: { schema: { type: 'boolean', description: 'Whether a kind could not be read; its list is then empty.' }, example: false },
    links: record(
      {
        commits: href('commits', '/api/v1/development/commits?repository=acme%2Fwidget'),
        releases: href('releases', '/api/v1/development/releases?repository=acme%2Fwidget'),
        findings: href('findings', '/api/v1/development/findings?repository=acme%2Fwidget'),
        missions: href('missions', '/api/v1/missions?repository=acme%2Fwidget'),
      },
      'Where the whole lists are.',
    ),
  },
  [repositorySchema, commitSchema, releaseSchema, findingSchema, buildSchema, missionSchema],
);
