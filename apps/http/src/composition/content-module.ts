import {
  GetArticle,
  GetNews,
  GetVideo,
  ListArticles,
  ListNews,
  ListVideos,
  type ArticleReader,
  type Clock,
  type FreshnessJudge,
  type NewsReader,
  type ScopedRecords,
  type VideoReader,
} from '@vitrine/core';
import { ContainerModule } from 'inversify';
import { tokens } from './tokens.js';

export const contentModule = new ContainerModule(({ bind }) => {
  const news = [tokens.newsReader, tokens.freshnessJudge, tokens.clock] as const;
  bind(tokens.listNews)
    .toResolvedValue((reader: NewsReader, freshness: FreshnessJudge, clock: Clock) => new ListNews(reader, freshness, clock), [...news])
    .inSingletonScope();
  bind(tokens.getNews)
    .toResolvedValue((reader: NewsReader, freshness: FreshnessJudge, clock: Clock) => new GetNews(reader, freshness, clock), [...news])
    .inSingletonScope();

  const articles = [tokens.articleReader, tokens.scopedRecords] as const;
  bind(tokens.listArticles)
    .toResolvedValue((reader: ArticleReader, records: ScopedRecords) => new ListArticles(reader, records), [...articles])
    .inSingletonScope();
  bind(tokens.getArticle)
    .toResolvedValue((reader: ArticleReader, records: ScopedRecords) => new GetArticle(reader, records), [...articles])
    .inSingletonScope();

  const videos = [tokens.videoReader, tokens.scopedRecords] as const;
  bind(tokens.listVideos)
    .toResolvedValue((reader: VideoReader, records: ScopedRecords) => new ListVideos(reader, records), [...videos])
    .inSingletonScope();
  bind(tokens.getVideo)
    .toResolvedValue((reader: VideoReader, records: ScopedRecords) => new GetVideo(reader, records), [...videos])
    .inSingletonScope();
});
