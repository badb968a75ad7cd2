import type { Answer, Page } from '@vitrine/core';
import { atomFeed, type EntryLinks, type Feed, type FeedEntry, jsonFeed } from '@vitrine/feeds';
import type { Endpoint } from '../../serving/router.js';
import type { Call, ViewContext } from './endpoint.js';
import { questionsOf } from './parse-query.js';
import { documentEndpoint } from './document.js';
import { type PageRoute } from './page.js';
import type { Query } from './query.js';
import { documentOf, type DocumentRoute } from './route.js';

export type FeedFormat = 'atom' | 'json';

const TYPES: Readonly<Record<FeedFormat, string>> = {
  atom: 'application/atom+xml; charset=utf-8',
  json: 'application/feed+json; charset=utf-8',
};

/** A feed in one format, and the page of the same list. */
export interface FeedRoute<Q extends Query = Query> extends DocumentRoute<Q> {
  readonly format: FeedFormat;
  readonly page: PageRoute<Q>;
}

/** Both formats of a feed. It takes the filters of its list, but has no pages. */
export function feedsOf<Q extends Query>(name: string, page: PageRoute<Q>): readonly FeedRoute<Q>[] {
  return (['atom', 'json'] as const).map((format) => ({
    ...documentOf(page.endpoint, { path: `/feeds/${name}.${format}`, type: TYPES[format], ignores: ['limit', 'cursor'] }),
    format,
    page,
  }));
}

const LENGTH = 50;

const WRITERS: Readonly<Record<FeedFormat, (feed: Feed) => string>> = { atom: atomFeed, json: jsonFeed };

export interface FeedPage {
  readonly limit: number;
  readonly after: null;
}

export interface FeedParts<Q, Item> {
  readonly name: string;
  readonly execute: (page: FeedPage, call: Call<Q>) => Promise<Answer<Page<Item, unknown>>>;
  readonly entryOf: (item: Item, links: EntryLinks) => FeedEntry;
}

export function feedEndpoints<Q extends Query, Item>(
  routes: readonly FeedRoute<Q>[],
  context: ViewContext,
  parts: FeedParts<Q, Item>,
): readonly Endpoint[] {
  return routes.map((route) => feedEndpoint(route, context, parts));
}

function feedEndpoint<Q extends Query, Item>(route: FeedRoute<Q>, context: ViewContext, { name, execute, entryOf }: FeedParts<Q, Item>): Endpoint {
  const { title, publicUrl, hasPages, copy, entryLinks } = context;
  const [self, list] = [questionsOf(route), questionsOf(hasPages ? route.page : route.page.endpoint)];
  const write = WRITERS[route.format];
  return documentEndpoint(route, context, async (call) => {
    const { data, dataStatus, warnings, changesAt } = await execute({ limit: LENGTH, after: null }, call);
    const page = list(call.query, call.params).address.target;
    const text = async (): Promise<string> =>
      write({
        title: `${title}: ${name}`,
        publisher: title,
        selfUrl: publicUrl + self(call.query, call.params).address.target,
        url: publicUrl + (copy?.addressOf(page) ?? page),
        entries: await Promise.all(data.items.map((item) => withHtml(entryOf(item, entryLinks), context))),
      });
    return { dataStatus, warnings, changesAt, text, shows: data.items };
  });
}

/** Readers of feeds show HTML, not Markdown. Images of other servers are not in it, as they are not on pages by default. */
async function withHtml(entry: FeedEntry, { texts }: Pick<ViewContext, 'texts'>): Promise<FeedEntry> {
  if (entry.markdown === undefined) return entry;
  const html = await texts.render({ text: entry.markdown, form: 'markdown', images: false, anchors: false });
  return html === null ? entry : { ...entry, html };
}
