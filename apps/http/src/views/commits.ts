import { kindSchema } from './shared/kind-schema.js';
import {
  asciiLowerCase,
  CHANGE_TYPES,
  type Commit,
  isSha,
  NotFoundError,
  parseRepositoryName,
  parseShaPrefix,
  type UseCases,
  type WithRepository,
} from '@vitrine/core';
import { commitEntry } from '@vitrine/feeds';
import { timeCodec } from '../serving/cursor.js';
import { Refusal } from '../serving/errors.js';
import type { Endpoint } from '../serving/router.js';
import { ownRepository, presentRepository, repositorySchema } from './repositories.js';
import { apiEndpoint, type Call, type ControllerContext, replyOf } from './shared/endpoint.js';
import { type FeedContext, feedEndpoints, feedsOf } from './shared/feed.js';
import { listPageEndpoint, recordPageEndpoint } from './shared/page-endpoints.js';
import { neighbourListOf } from './shared/neighbours.js';
import { type PageContext, pageOf } from './shared/page.js';
import { filterValue, RepositoryFilter, TextFilter, ValuesFilter } from './shared/parameters.js';
import type { PathParameter } from './shared/path-parameters.js';
import { type Links, presentInstant, presentProvenance } from './shared/present.js';
import { From, PageQuery, RecordQuery, timeRange, To } from './shared/query.js';
import { listController, presentListed } from './shared/records.js';
import { listRoute, recordRoute } from './shared/route.js';
import { provenanceSchema, ownPath } from './shared/schema.js';

export const commitSchema = kindSchema(
  ['Commit', 'A commit of an approved repository.'],
  'commit',
  { repository: ownRepository, href: ownPath('/api/v1/development/commits/acme%2Fwidget%409f1c2d3e4b5a69788796a5b4c3d2e1f001122334') },
  [repositorySchema, provenanceSchema],
);

class ListCommitsQuery extends PageQuery {
  @RepositoryFilter() readonly repository?: string;
  @TextFilter('Only commits of this branch, by its exact name.', 'main') readonly branch?: string;
  @TextFilter('Only commits of this author: a login in any letter case, or an exact name. Never an e-mail address.', 'ada') readonly author?: string;
  @ValuesFilter('Only commits of this change type.', { values: CHANGE_TYPES, example: 'feature', isOpen: true })
  readonly changeType?: readonly string[];
  @From('committedAt') readonly from?: string;
  @To('committedAt') readonly to?: string;

  override filters() {
    return {
      repository: this.repository ?? null,
      branch: this.branch ?? null,
      author: this.author ?? null,
      changeType: filterValue(this.changeType),
      ...timeRange(this),
    };
  }
}

class GetCommitQuery extends RecordQuery {
  @RepositoryFilter(
    'The commit of this repository, as `owner/name` in any letter case. Without it, the repository with the lowest name that has the commit.',
  )
  readonly repository?: string;

  override filters() {
    return { ...super.filters(), repository: this.repository ?? null };
  }
}

/** What a commit is looked up by. */
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

const COMMIT_REFERENCE_DETAIL = 'must be 40 or 64 hexadecimal digits, an abbreviation of 7 or more, or one of them after owner/name@';

const shaParameter: PathParameter = {
  name: 'sha',
  description:
    'A commit: 40 or 64 hexadecimal digits, an abbreviation of 7 or more, or one of them after `owner/name@`. The slash and the `@` may be percent-encoded.',
  schema: { type: 'string', pattern: '^([A-Za-z0-9._-]{1,100}/[A-Za-z0-9._-]{1,100}@)?[0-9a-fA-F]{7,64}$' },
  example: '9f1c2d3e4b5a69788796a5b4c3d2e1f001122334',
  spansSegments: true,
  isWellFormed: (text) => parseCommitReference(text) !== null,
};

export function presentCommit({ record, repository }: WithRepository<Commit>, links: Links) {
  return {
    sha: record.sha,
    title: record.title,
    description: record.description,
    authorName: record.authorName,
    authorLogin: record.authorLogin,
    branch: record.branch,
    additions: record.additions,
    deletions: record.deletions,
    filesChanged: record.filesChanged,
    changeType: record.changeType,
    committedAt: presentInstant(record.committedAt),
    repository: presentRepository(repository, links),
    provenance: presentProvenance(record.provenance),
    href: links.record('commit', `${repository.fullName}@${record.sha}`),
  };
}

export const listCommitsRoute = listRoute({
  id: 'listCommits',
  path: '/api/v1/development/commits',
  tag: 'Development',
  summary: 'List commits',
  description: 'Commits of approved repositories, newest first by `committedAt`.',
  query: ListCommitsQuery,
  schema: commitSchema,
  shows: ['commit'],
});

export const getCommitRoute = recordRoute({
  id: 'getCommit',
  path: '/api/v1/development/commits/{sha}',
  tag: 'Development',
  summary: 'Get a commit',
  description: 'One commit. An abbreviation that fits several commits is refused.',
  query: GetCommitQuery,
  pathParameters: [shaParameter],
  schema: commitSchema,
  shows: ['commit'],
  cache: 'pinned',
});

/** The commit of a request. Throws a `Refusal` if the text is not a sha. */
function commitOf({ params, query }: Pick<Call<GetCommitQuery>, 'params' | 'query'>): CommitReference {
  const reference = parseCommitReference(params['sha'] ?? '');
  if (reference === null) throw Refusal.ofViolations([{ parameter: 'sha', in: 'path', code: 'INVALID_PARAMETER', detail: COMMIT_REFERENCE_DETAIL }]);
  const named = reference.repository === null ? null : asciiLowerCase(reference.repository);
  const { repository } = query.filters();
  // Two names that disagree name no commit.
  if (named !== null && repository !== null && named !== repository) throw new NotFoundError();
  return { sha: reference.sha, repository: named ?? repository };
}

/** The list of commits, and one commit. */
export function commitViews(useCases: UseCases, context: ControllerContext): readonly Endpoint[] {
  return [
    listController(listCommitsRoute, context, {
      codec: timeCodec,
      execute: (page, { query, context: own }) => useCases.listCommits.execute({ ...query.filters(), ...page }, own()),
      present: (view) => presentCommit(view, context.links),
    }),
    commitView(useCases, context),
  ];
}

/** A commit that is named by its whole sha never changes, so it may be kept for longer. */
function commitView({ getCommit, listCommits }: UseCases, context: ControllerContext): Endpoint {
  const route = getCommitRoute;
  const parts = {
    list: neighbourListOf(listCommits),
    present: (view: WithRepository<Commit>) => presentCommit(view, context.links),
  };
  return apiEndpoint(route, context, async (call) => {
    const { sha, repository } = commitOf(call);
    const answer = await getCommit.execute({ sha, repository }, call.context());
    const isFixed = isSha(sha) && call.query.include === undefined;
    return { ...replyOf(route, answer, await presentListed(parts, answer.data, call)), cache: isFixed ? route.cache : 'record' };
  });
}

export const commitsPageRoute = pageOf(listCommitsRoute);
export const commitPageRoute = pageOf(getCommitRoute);

/** The page of the list of commits, and the page of each. */
export function commitPages(context: PageContext): readonly Endpoint[] {
  const { listCommits, getCommit }: UseCases = context.useCases;
  return [
    listPageEndpoint(commitsPageRoute, context, {
      codec: timeCodec,
      execute: (page, { query, context: own }) => listCommits.execute({ ...query.filters(), ...page }, own()),
      render: context.pages.commits,
    }),
    recordPageEndpoint(commitPageRoute, context, {
      execute: (call) => getCommit.execute(commitOf(call), call.context()),
      list: neighbourListOf(listCommits),
      render: context.pages.commit,
    }),
  ];
}

export const commitsFeedRoutes = feedsOf('commits', commitsPageRoute);

/** The newest commits as feeds. */
export function commitFeeds(context: FeedContext): readonly Endpoint[] {
  return feedEndpoints(commitsFeedRoutes, context, {
    name: 'commits',
    execute: (page, { query, context: own }) => context.useCases.listCommits.execute({ ...query.filters(), ...page }, own()),
    entryOf: commitEntry,
  });
}
