import { kindSchema } from './shared/kind-schema.js';
import type { UseCases, Video, WithOptionalRepository } from '@vitrine/core';
import { videoEntry } from '@vitrine/feeds';
import type { Endpoint } from '../serving/router.js';
import { optionalRepository, presentOptionalRepository, repositorySchema } from './repositories.js';
import type { ControllerContext } from './shared/endpoint.js';
import { type FeedContext, feedsOf, kindFeeds } from './shared/feed.js';
import { kindPages } from './shared/page-endpoints.js';
import { type PageContext, pageOf } from './shared/page.js';
import { RepositoryFilter, TextFilter } from './shared/parameters.js';
import { idParameter } from './shared/path-parameters.js';
import { type Links, presentInstant, presentProvenance } from './shared/present.js';
import { From, RecordQuery, PageQuery, timeRange, To } from './shared/query.js';
import { kindControllers } from './shared/records.js';
import { listRoute, recordRoute } from './shared/route.js';
import { ownPath, provenanceSchema } from './shared/schema.js';

const videoSchema = kindSchema(
  ['Video', 'A public video.'],
  'video',
  { repository: { ...optionalRepository, example: null }, href: ownPath('/api/v1/videos/vid_8c3p0z') },
  [repositorySchema, provenanceSchema],
);

class ListVideosQuery extends PageQuery {
  @TextFilter('Only videos of this origin, by the label in `provenance.source`.', 'YouTube: Acme') readonly source?: string;
  @RepositoryFilter() readonly repository?: string;
  @From('publishedAt') readonly from?: string;
  @To('publishedAt') readonly to?: string;

  override filters() {
    return { source: this.source ?? null, repository: this.repository ?? null, ...timeRange(this) };
  }
}

export function presentVideo({ record, repository }: WithOptionalRepository<Video>, links: Links) {
  return {
    id: record.id,
    title: record.title,
    description: record.description,
    platform: record.platform,
    channelName: record.channelName,
    url: record.url,
    embedUrl: record.embedUrl,
    thumbnailUrl: record.thumbnailUrl,
    durationSeconds: record.durationSeconds,
    language: record.language,
    tags: record.tags,
    publishedAt: presentInstant(record.publishedAt),
    discoveredAt: presentInstant(record.discoveredAt),
    repository: presentOptionalRepository(repository, links),
    sourceUrl: record.sourceUrl,
    provenance: presentProvenance(record.provenance),
    href: links.record('video', record.id),
  };
}

export const listVideosRoute = listRoute({
  id: 'listVideos',
  path: '/api/v1/videos',
  tag: 'Content',
  summary: 'List videos',
  description: 'Public videos, newest first by `publishedAt`.',
  query: ListVideosQuery,
  schema: videoSchema,
  shows: ['video'],
});

export const getVideoRoute = recordRoute({
  id: 'getVideo',
  path: '/api/v1/videos/{id}',
  tag: 'Content',
  summary: 'Get a video',
  description: 'One public video.',
  query: RecordQuery,
  pathParameters: [idParameter('Id of the video.', 'vid_8c3p0z')],
  schema: videoSchema,
  shows: ['video'],
});

/** The list of videos, and one video. */
export function videoViews(useCases: UseCases, context: ControllerContext): readonly Endpoint[] {
  return kindControllers(context, {
    list: [listVideosRoute, useCases.listVideos],
    get: [getVideoRoute, useCases.getVideo],
    present: (view) => presentVideo(view, context.links),
  });
}

export const videosPageRoute = pageOf(listVideosRoute);
export const videoPageRoute = pageOf(getVideoRoute);

/** The page of the list of videos, and the page of each. */
export function videoPages(context: PageContext): readonly Endpoint[] {
  const { useCases, pages } = context;
  return kindPages(context, {
    list: [videosPageRoute, useCases.listVideos, pages.videos],
    record: [videoPageRoute, useCases.getVideo, pages.video],
  });
}

export const videosFeedRoutes = feedsOf('videos', videosPageRoute);

/** The newest videos as feeds. */
export function videoFeeds(context: FeedContext): readonly Endpoint[] {
  return kindFeeds(context, { name: 'videos', routes: videosFeedRoutes, list: context.useCases.listVideos, entryOf: videoEntry });
}
