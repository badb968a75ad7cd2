import type { News } from '../../domain/content/news.js';
import { NotFoundError } from '../../domain/shared/domain-error.js';
import { EVERY_SOURCE } from '../../policies/freshness.js';
import type { Clock } from '../../ports/clock.js';
import type { NewsReader } from '../../ports/news-reader.js';
import type { ReadContext } from '../../ports/read-context.js';
import type { Answer } from '../shared/answer.js';
import type { FreshnessJudge } from '../shared/freshness-judge.js';
import type { IdInput } from '../shared/scoped-records.js';
import { isVisible } from '../shared/visibility.js';

/** One news record by its public id. */
export class GetNews {
  readonly #news: NewsReader;
  readonly #freshness: FreshnessJudge;
  readonly #clock: Clock;

  constructor(news: NewsReader, freshness: FreshnessJudge, clock: Clock) {
    this.#news = news;
    this.#freshness = freshness;
    this.#clock = clock;
  }

  async execute({ id }: IdInput, context: ReadContext): Promise<Answer<News>> {
    const [data, freshness] = await Promise.all([this.#news.byId(id, context), this.#freshness.of('news', EVERY_SOURCE, context)]);
    if (data === null || !isVisible(data, this.#clock.now())) throw new NotFoundError();
    return { data, ...freshness };
  }
}
