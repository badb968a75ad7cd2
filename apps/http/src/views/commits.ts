import {
  asciiLowerCase,
  CHANGE_TYPES,
  DAY,
  isSha,
  neighboursOf,
  NotFoundError,
  parseRepositoryName,
  parseShaPrefix,
  positionOf,
} from '@vitrine/core';
import type { Commit, PageAnswer, TimePosition, UseCaseContext, WithRepository } from '@vitrine/core';
import { commitEntry } from '@vitrine/feeds';
import type { RecordData } from '@vitrine/pages';
import { KindView } from './kind-view.js';
import { type PageInput, PageQuery, RecordQuery } from './shared/lists.js';
import type { Call, ViewContext } from './shared/route.js';
import type { PageParts } from './shared/page.js';
import { RepositoryFilter, TextFilter, ValuesFilter } from './shared/parameters.js';
import type { PathParameter } from './shared/path-parameters.js';
import { From, To } from './shared/time-range.js';

class ListCommitsQuery extends PageQuery {
  @RepositoryFilter() readonly repository?: string;
  @TextFilter('Only commits of this branch, by its exact name.', 'main') readonly branch?: string;
  @TextFilter('Only commits of this author: a login in any letter case, or an exact name. Never an e-mail address.', 'ada') readonly author?: string;
  @ValuesFilter('Only commits of this change type.', { values: CHANGE_TYPES, example: 'feature', isOpen: true })
  readonly changeType?: readonly string[];
  @From('committedAt') readonly from?: string;
  @To('committedAt') readonly to?: string;
}

class GetCommitQuery extends RecordQuery {
  @RepositoryFilter(
    'The commit of this repository, as `owner/name` in any letter case. Without it, the repository with the lowest name that has the commit.',
  )
  readonly repository?: string;
}

export interface CommitReference {
  /** 7 to 64 lower-case hexadecimal digits. */
  readonly sha: string;
  readonly repository: string | null;
}

/** A sha, an abbreviation of 7 digits or more, or either after `owner/name@`; `null` otherwise. */
export function parseCommitReference(text: string): CommitReference | null {
  const at = text.lastIndexOf('@');
  const sha = parseShaPrefix(text.slice(at + 1));
  if (sha === null) return null;
  if (at < 0) return { sha, repository: null };
  const repository = parseRepositoryName(text.slice(0, at));
  return repository === null ? null : { sha, repository: repository.fullName };
}

const shaParameter: PathParameter = {
  name: 'sha',
  description:
    'A commit: 40 or 64 hexadecimal digits, an abbreviation of 7 or more, or one of them after `owner/name@`. The slash and the `@` may be percent-encoded.',
  schema: { type: 'string', pattern: '^([A-Za-z0-9._-]{1,100}/[A-Za-z0-9._-]{1,100}@)?[0-9a-fA-F]{7,64}$' },
  example: '9f1c2d3e4b5a69788796a5b4c3d2e1f001122334',
  spansSegments: true,
  isWellFormed: (text) => parseCommitReference(text) !== null,
  refusal: 'must be 40 or 64 hexadecimal digits, an abbreviation of 7 or more, or one of them after owner/name@',
};

function commitOf({ params, query }: Pick<Call<GetCommitQuery>, 'params' | 'query'>): CommitReference {
  const reference = parseCommitReference(params['sha'] ?? '');
  if (reference === null) throw new NotFoundError();
  const names = new Set([reference.repository, query.repository].flatMap((name) => (name ? asciiLowerCase(name) : [])));
  // Two names that disagree name no commit.
  if (names.size > 1) throw new NotFoundError();
  const [repository = null] = names;
  return { sha: reference.sha, repository };
}

export const commits = new KindView({
  kind: 'commit',
  path: '/api/v1/development/commits',
  tag: 'Development',
  description: 'A commit of an approved repository.',
  list: { description: 'Commits of approved repositories, newest first by `committedAt`.', query: ListCommitsQuery },
  get: {
    summary: 'Get a commit',
    description: 'One commit. An abbreviation that fits several commits is refused.',
    parameter: shaParameter,
    example: `acme/widget@${shaParameter.example}`,
    query: GetCommitQuery,
    reference: commitOf,
    cache: 'pinned',
    // A commit that is named by its whole sha never changes, so it may be kept for longer.
    cacheOf: (call) => (isSha(commitOf(call).sha) ? 'pinned' : 'record'),
  },
  pages: { list: (pages) => pages.commits, record: (pages) => pages.commit, more: relatedTo, shows: ['release', 'build', 'finding'] },
  entryOf: commitEntry,
});

type CommitItem = WithRepository<Commit>;

async function relatedTo({ item }: Pick<RecordData<CommitItem>, 'item'>, parts: PageParts, call: Call<RecordQuery>, context: ViewContext) {
  const { listBuilds, listFindings } = context.useCases;
  const { sha } = item.record;
  const [next, builds, findings] = await Promise.all([
    releaseAfter(item, parts, call, context),
    parts.readAside('build', (signal) => namedSoon(item, call.context(signal), listBuilds, ({ record }) => record.commitSha === sha)),
    parts.readAside('finding', (signal) => namedSoon(item, call.context(signal), listFindings, ({ record }) => record.evidence.commitSha === sha)),
  ]);
  return { ...next, builds: builds?.map(({ record }) => record) ?? [], findings: findings ?? [] };
}

const NEWEST = 100;

/** The records of a list that name a commit, among those of the day after it: lists cannot be filtered by commit. */
async function namedSoon<Item>(
  { record, repository }: CommitItem,
  context: UseCaseContext,
  list: { execute(input: object, context: UseCaseContext): Promise<PageAnswer<Item, unknown>> },
  isNamed: (item: Item) => boolean,
): Promise<readonly Item[]> {
  const day = { from: record.committedAt, to: record.committedAt + DAY, limit: NEWEST };
  const { data } = await list.execute({ ...day, repository: repository.fullName }, context);
  return data.items.filter(isNamed);
}

/** The first release after a commit, by the times of both. */
async function releaseAfter(item: CommitItem, parts: PageParts, call: Call<RecordQuery>, { useCases }: ViewContext) {
  // A release at the very time of the commit holds it.
  const position = { time: item.record.committedAt - 1, id: '' };
  const next = await parts.readAside('release', async (signal) => {
    const list = (page: PageInput<TimePosition>) =>
      useCases.listReleases.execute({ ...page, repository: item.repository.fullName }, call.context(signal));
    return (await neighboursOf(position, (release) => positionOf(release.record), list)).newer;
  });
  return { release: next?.record ?? null };
}
