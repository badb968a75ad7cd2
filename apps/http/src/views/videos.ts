import { videoEntry } from '@vitrine/feeds';
import { KindView } from './kind-view.js';
import { RepositoryFilter, TextFilter } from './shared/parameters.js';
import { PageQuery } from './shared/lists.js';
import { From, To } from './shared/time-range.js';

class ListVideosQuery extends PageQuery {
  @TextFilter('Only videos of this origin, by the label in `provenance.source`.', 'YouTube: Acme') readonly source?: string;
  @RepositoryFilter() readonly repository?: string;
  @From('publishedAt') readonly from?: string;
  @To('publishedAt') readonly to?: string;
}

export const videos = new KindView({
  kind: 'video',
  path: '/api/v1/videos',
  tag: 'Content',
  description: 'A public video.',
  list: { description: 'Public videos, newest first by `publishedAt`.', query: ListVideosQuery },
  get: {
    summary: 'Get a video',
    description: 'One public video.',
    example: 'vid_8c3p0z',
  },
  pages: { list: (pages) => pages.videos, record: (pages) => pages.video },
  entryOf: videoEntry,
});
