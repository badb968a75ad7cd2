import { NotFoundError } from '@vitrine/core';
import { Refusal } from '../serving/errors.js';
import { repositoryName, type GetCommitQuery } from '../requests/development-queries.js';
import { COMMIT_REFERENCE_DETAIL, parseCommitReference, type CommitReference } from '../requests/path-parameters.js';
import type { Call } from './api-endpoint.js';

/** The commit that a request names. Throws a `Refusal` for a text that is no sha. */
export function commitOf({ params, query }: Pick<Call<GetCommitQuery>, 'params' | 'query'>): CommitReference {
  const reference = parseCommitReference(params['sha'] ?? '');
  if (reference === null) throw Refusal.ofViolations([{ parameter: 'sha', in: 'path', code: 'INVALID_PARAMETER', detail: COMMIT_REFERENCE_DETAIL }]);
  const named = repositoryName(reference.repository ?? undefined);
  const { repository } = query.filters();
  // Two names that disagree name no commit.
  if (named !== null && repository !== null && named !== repository) throw new NotFoundError();
  return { sha: reference.sha, repository: named ?? repository };
}
