import { NotFoundError } from '../../kinds/domain-error.js';
import type { News } from '../../kinds/news.js';
import type { TimePosition } from '../../kinds/page.js';
import type { ListFilters, NewsReader, ReadContext } from '../../ports/readers.js';
import type { Clock } from '../../ports/store.js';
import { EVERY_SOURCE } from '../../rules/freshness.js';
import { isVisible, latestVisible, type Answer, type FreshnessJudge, type PageAnswer } from '../shared/answer.js';
import { NEWEST_PAGE, rangeOf, type IdInput, type TimeListInput } from '../shared/records.js';
import { byId, filtersOf, timeList, withoutPermission } from '../shared/arguments.js';

export class GetNews {
  readonly takes = withoutPermission<IdInput>(byId);

  constructor(
    private readonly news: NewsReader,
    private readonly freshness: FreshnessJudge,
    private readonly clock: Clock,
  ) {}

  async execute({ id }: IdInput, context: ReadContext): Promise<Answer<News>> {
    const [data, freshness] = await Promise.all([this.news.byId(id, context), this.freshness.of('news', EVERY_SOURCE, context)]);
    if (data === null || !isVisible(data, this.clock.now())) throw new NotFoundError();
    return { data, ...freshness };
  }
}

/** The filter `source` is the configured label of a feed. */
export type ListNewsInput = TimeListInput & ListFilters<'news'>;

/** Records of public feeds, newest first. */
export class ListNews {
  readonly takes = withoutPermission<ListNewsInput>({ ...timeList, ...filtersOf('news') });

  constructor(
    private readonly news: NewsReader,
    private readonly freshness: FreshnessJudge,
    private readonly clock: Clock,
  ) {}

  async execute({ source = null, ...page }: Partial<ListNewsInput>, context: ReadContext): Promise<PageAnswer<News, TimePosition>> {
    const query = { ...rangeOf({ ...NEWEST_PAGE, ...page }, latestVisible(this.clock.now())), source };
    const [data, freshness] = await Promise.all([this.news.list(query, context), this.freshness.of('news', EVERY_SOURCE, context)]);
    return { data, ...freshness };
  }
}
