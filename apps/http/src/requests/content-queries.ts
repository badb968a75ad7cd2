import { ARTICLE_KINDS, MISSION_STATUSES } from '@vitrine/core';
import { repositoryName } from './development-queries.js';
import { ClosedSet, OpenSet, RepositoryFilter, TextFilter } from './parameters.js';
import { PageQuery, timeRange } from './query.js';
import { From, To } from './time-range.js';

export class ListMissionsQuery extends PageQuery {
  @RepositoryFilter() readonly repository?: string;
  @OpenSet(`Only missions of this status; known: ${MISSION_STATUSES.join(' ')}.`, 'active') readonly status?: string;

  override filters() {
    return { repository: repositoryName(this.repository), status: this.status ?? null };
  }
}

export class ListNewsQuery extends PageQuery {
  @TextFilter('Only records of this feed, by the label in `source`.', 'Acme Blog') readonly source?: string;
  @From('publishedAt (else discoveredAt)') readonly from?: string;
  @To('publishedAt (else discoveredAt)') readonly to?: string;

  override filters() {
    return { source: this.source ?? null, ...timeRange(this) };
  }
}

export class ListArticlesQuery extends PageQuery {
  @ClosedSet('Only articles of this kind.', ARTICLE_KINDS) readonly kind?: string;
  @OpenSet('Only articles with this tag.', 'api') readonly tag?: string;
  @OpenSet('Only articles in this language, as a BCP 47 tag.', 'en') readonly language?: string;
  @RepositoryFilter() readonly repository?: string;
  @From('publishedAt') readonly from?: string;
  @To('publishedAt') readonly to?: string;

  override filters() {
    return {
      articleKind: ARTICLE_KINDS.find((kind) => kind === this.kind) ?? null,
      tag: this.tag ?? null,
      language: this.language ?? null,
      repository: repositoryName(this.repository),
      ...timeRange(this),
    };
  }
}

export class ListVideosQuery extends PageQuery {
  @TextFilter('Only videos of this origin, by the label in `provenance.source`.', 'YouTube: Acme') readonly source?: string;
  @RepositoryFilter() readonly repository?: string;
  @From('publishedAt') readonly from?: string;
  @To('publishedAt') readonly to?: string;

  override filters() {
    return { source: this.source ?? null, repository: repositoryName(this.repository), ...timeRange(this) };
  }
}
