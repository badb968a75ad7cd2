import { articles } from './articles.js';
import { commits } from './commits.js';
import { findings } from './findings.js';
import { incidents } from './incidents.js';
import type { ViewedKind } from './kind-parts.js';
import { missions } from './missions.js';
import { news } from './news.js';
import { releases } from './releases.js';
import type { Tag } from './shared/route.js';
import { videos } from './videos.js';

/** The view of each kind. Routes, endpoints, links, pages, feeds and the description of the API follow from it, in this order. */
const KIND_VIEWS = {
  commit: commits,
  release: releases,
  finding: findings,
  mission: missions,
  news,
  article: articles,
  video: videos,
  incident: incidents,
} as const satisfies { readonly [Kind in ViewedKind]: { readonly kind: Kind } };

export const kindViews = Object.values(KIND_VIEWS);

export function kindViewsOf(tag: Tag) {
  return kindViews.filter(({ list }) => list.tag === tag);
}
