import { newsEntry } from '@vitrine/feeds';
import { KindView } from './kind-view.js';
import { TextFilter } from './shared/parameters.js';
import { PageQuery } from './shared/lists.js';
import { From, To } from './shared/time-range.js';

class ListNewsQuery extends PageQuery {
  @TextFilter('Only records of this feed, by the label in `source`.', 'Acme Blog') readonly source?: string;
  @From('publishedAt (else discoveredAt)') readonly from?: string;
  @To('publishedAt (else discoveredAt)') readonly to?: string;
}

export const news = new KindView({
  kind: 'news',
  path: '/api/v1/news',
  tag: 'Content',
  description: 'A record of a public feed.',
  list: {
    description: 'Records of public feeds, newest first by `publishedAt`, or by `discoveredAt` where the publisher gives no time.',
    query: ListNewsQuery,
  },
  get: {
    summary: 'Get a news record',
    description: 'One record of a public feed.',
    example: 'nws_4d1x8c',
  },
  pages: { list: (pages) => pages.news, record: (pages) => pages.newsRecord },
  entryOf: newsEntry,
});
