import type { Answer, Page } from '@vitrine/core';
import { atomFeed, jsonFeed, type EntryLinks, type Feed, type FeedEntry } from '@vitrine/feeds';
import type { Endpoint } from '../../serving/router.js';
import type { Query } from '../../requests/query.js';
import type { FeedFormat, FeedRoute } from '../../routes/feed-routes.js';
import type { Call } from '../api-endpoint.js';
import { documentEndpoint } from '../document-endpoint.js';
import { shownRepositories } from '../pages/shown-repositories.js';
import { questionsOf } from '../question.js';
import { entryLinks } from './entry-links.js';
import type { FeedContext } from './feed-context.js';

/** How many records a feed has. */
const LENGTH = 50;
const WRITERS: Readonly<Record<FeedFormat, (feed: Feed) => string>> = { atom: atomFeed, json: jsonFeed };

/** The newest records of a list. */
export interface FeedPage {
  readonly limit: number;
  readonly after: null;
}

export interface FeedParts<Q, Item> {
  /** What the feed is about, in its title. */
  readonly name: string;
  readonly execute: (page: FeedPage, call: Call<Q>) => Promise<Answer<Page<Item, unknown>>>;
  readonly entryOf: (item: Item, links: EntryLinks) => FeedEntry;
}

/** Answers a list as a feed, in every format. */
export function feedEndpoints<Q extends Query, Item>(
  routes: readonly FeedRoute<Q>[],
  context: FeedContext,
  parts: FeedParts<Q, Item>,
): readonly Endpoint[] {
  return routes.map((route) => feedEndpoint(route, context, parts));
}

function feedEndpoint<Q extends Query, Item>(route: FeedRoute<Q>, context: FeedContext, { name, execute, entryOf }: FeedParts<Q, Item>): Endpoint {
  const { documents, title, publicUrl, hasPages, copy } = context;
  const [self, list] = [questionsOf(route), questionsOf(hasPages ? route.page : route.page.endpoint)];
  const write = WRITERS[route.format];
  return documentEndpoint(route, documents, async (call) => {
    const { data, dataStatus, warnings, changesAt } = await execute({ limit: LENGTH, after: null }, call);
    const links = entryLinks(context);
    const page = list(call.query, call.params).address.target;
    const text = write({
      title: `${title}: ${name}`,
      publisher: title,
      selfUrl: publicUrl() + self(call.query, call.params).address.target,
      url: publicUrl() + (copy?.addressOf(page) ?? page),
      entries: data.items.map((item) => entryOf(item, links)),
    });
    return { dataStatus, warnings, changesAt, text, repositories: shownRepositories(data.items) };
  });
}
