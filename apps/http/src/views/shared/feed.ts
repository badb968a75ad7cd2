import { atomFeed, type EntryLinks, type FeedEntry, jsonFeed } from '@vitrine/feeds';
import { feedTitle, type Language } from '@vitrine/pages';
import type { ListRoute } from './lists.js';
import { filtersOf, type PageRoute } from './page.js';
import { questionsOf } from './parse-query.js';
import type { Query } from './parameters.js';
import { type Call, documentOf, type DocumentOutcome, type DocumentRoute, type ViewContext } from './route.js';

const FORMATS = {
  atom: { type: 'application/atom+xml; charset=utf-8', write: atomFeed },
  json: { type: 'application/feed+json; charset=utf-8', write: jsonFeed },
};

const LENGTH = 50;

/** Both formats of a feed. It takes the filters of its list, but has no pages. */
export function feedsOf<Q extends Query, Item, Position>(
  name: string,
  page: Pick<PageRoute<Q, ListRoute<Q, Item, Position>>, 'path' | 'endpoint'>,
  entryOf: (item: Item, links: EntryLinks, language: Language) => FeedEntry,
): readonly DocumentRoute<Q>[] {
  const { path: pagePath, endpoint: list } = page;
  const filters = filtersOf(list.query);
  return Object.entries(FORMATS).map(([format, { type, write }]) => {
    const path = `/feeds/${name}.${format}`;
    const [self, ofPage, ofList] = [questionsOf({ ...list, path }), questionsOf({ ...list, path: pagePath }), questionsOf(list)];
    const answer = async (call: Call<Q>, context: ViewContext): Promise<DocumentOutcome> => {
      const { title, language, publicUrl, hasPages, copy, entryLinks } = context;
      const { data, ...answer } = await list.execute({ limit: LENGTH, after: null }, call, context);
      const shown = (hasPages ? ofPage : ofList)(call.query, call.params).address.target;
      const text = async (): Promise<string> =>
        write({
          title: feedTitle(title, name, language, filters(call.query)),
          publisher: title,
          selfUrl: publicUrl + self(call.query, call.params).address.target,
          url: publicUrl + (copy?.addressOf(shown) ?? shown),
          entries: await Promise.all(data.items.map((item) => withHtml(entryOf(item, entryLinks, language), context))),
        });
      return { ...answer, text, shows: data.items };
    };
    return documentOf(list, { path, type, ignores: ['limit', 'cursor'], answer });
  });
}

/** Readers of feeds show HTML, not Markdown. Images of other servers are not in it, as they are not on pages by default. */
async function withHtml(entry: FeedEntry, { texts }: Pick<ViewContext, 'texts'>): Promise<FeedEntry> {
  if (entry.markdown === undefined) return entry;
  const html = await texts.render({ text: entry.markdown, form: 'markdown', images: false, anchors: false });
  return html === null ? entry : { ...entry, html };
}
