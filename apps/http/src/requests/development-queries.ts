import { asciiLowerCase } from '@vitrine/core';
import { OpenSet, RepositoryFilter, TextFilter } from './parameters.js';
import { PageQuery, Query, timeRange } from './query.js';
import { From, FromDay, To, ToDay } from './time-range.js';

const CHANGE_TYPES = 'feature fix docs tests refactor performance build ci dependencies security revert chore other';

/** Names ignore letter case, so filters that differ in it are one filter. */
export function repositoryName(text: string | undefined): string | null {
  return text === undefined ? null : asciiLowerCase(text);
}

export class ListCommitsQuery extends PageQuery {
  @RepositoryFilter() readonly repository?: string;
  @TextFilter('Only commits of this branch, by its exact name.', 'main') readonly branch?: string;
  @TextFilter('Only commits of this author: a login in any letter case, or an exact name. Never an e-mail address.', 'ada') readonly author?: string;
  @OpenSet(`Only commits of this change type; known: ${CHANGE_TYPES}.`, 'feature') readonly changeType?: string;
  @From('committedAt') readonly from?: string;
  @To('committedAt') readonly to?: string;

  override filters() {
    return {
      repository: repositoryName(this.repository),
      branch: this.branch ?? null,
      author: this.author ?? null,
      changeType: this.changeType ?? null,
      ...timeRange(this),
    };
  }
}

export class GetCommitQuery extends Query {
  @RepositoryFilter(
    'The commit of this repository, as `owner/name` in any letter case. Without it, the repository with the lowest name that has the commit.',
  )
  readonly repository?: string;

  override filters() {
    return { repository: repositoryName(this.repository) };
  }
}

export class ListReleasesQuery extends PageQuery {
  @RepositoryFilter() readonly repository?: string;
  @OpenSet('Only releases for this platform.', 'linux') readonly platform?: string;
  @OpenSet('Only releases of this type; known: stable prerelease rc beta alpha nightly.', 'stable') readonly releaseType?: string;
  @From('publishedAt') readonly from?: string;
  @To('publishedAt') readonly to?: string;

  override filters() {
    return {
      repository: repositoryName(this.repository),
      platform: this.platform ?? null,
      releaseType: this.releaseType ?? null,
      ...timeRange(this),
    };
  }
}

export class ListActivityQuery extends Query {
  @RepositoryFilter() readonly repository?: string;
  @FromDay('365 days are listed; at most 366 can be asked for') readonly from?: string;
  @ToDay() readonly to?: string;

  override filters() {
    return { repository: repositoryName(this.repository), ...timeRange(this) };
  }
}

export class ListFindingsQuery extends PageQuery {
  @RepositoryFilter() readonly repository?: string;
  @OpenSet('Only findings of this status; known: EXPERIMENTAL CONFIRMED RELEASED RETRACTED.', 'EXPERIMENTAL') readonly status?: string;
  @OpenSet(`Only findings of this change type; known: ${CHANGE_TYPES}.`, 'tests') readonly changeType?: string;
  @From('detectedAt') readonly from?: string;
  @To('detectedAt') readonly to?: string;

  override filters() {
    return { repository: repositoryName(this.repository), status: this.status ?? null, changeType: this.changeType ?? null, ...timeRange(this) };
  }
}
