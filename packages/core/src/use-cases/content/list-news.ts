import type { News } from '../../domain/content/news.js';
import type { TimePosition } from '../../domain/shared/page.js';
import { EVERY_SOURCE } from '../../policies/freshness.js';
import type { Clock } from '../../ports/clock.js';
import type { NewsReader } from '../../ports/news-reader.js';
import type { ReadContext } from '../../ports/read-context.js';
import type { PageAnswer } from '../shared/answer.js';
import type { FreshnessJudge } from '../shared/freshness-judge.js';
import { rangeOf, type TimeListInput } from '../shared/scoped-records.js';
import { latestVisible } from '../shared/visibility.js';

/** `null` means any. */
export interface ListNewsInput extends TimeListInput {
  /** The configured label of a feed. */
  readonly source: string | null;
}

/** Records of public feeds, newest first. */
export class ListNews {
  readonly #news: NewsReader;
  readonly #freshness: FreshnessJudge;
  readonly #clock: Clock;

  constructor(news: NewsReader, freshness: FreshnessJudge, clock: Clock) {
    this.#news = news;
    this.#freshness = freshness;
    this.#clock = clock;
  }

  async execute(input: ListNewsInput, context: ReadContext): Promise<PageAnswer<News, TimePosition>> {
    const query = { ...rangeOf(input, latestVisible(this.#clock.now())), source: input.source };
    const [data, freshness] = await Promise.all([this.#news.list(query, context), this.#freshness.of('news', EVERY_SOURCE, context)]);
    return { data, ...freshness };
  }
}
