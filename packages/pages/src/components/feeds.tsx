import { groupedBy } from './entry-list.js';
import type { FilterValues } from './filters.js';
import type { Alternate } from './head.js';
import { said } from './state.js';
import { type Messages, messagesOf } from '../messages/messages.js';
import type { ListName } from '../page-links.js';
import type { Language } from '../site.js';
import { useView, type View } from '../view.js';

/** Every list that has feeds. */
export const FEED_NAMES = ['incidents', 'commits', 'releases', 'findings', 'news', 'articles', 'videos'] as const;

/** The title of a feed, or of the calendar, with what its filters select. @param name of the feed in its address: `incidents`, or `maintenance` */
export function feedTitle(publisher: string, name: string, language: Language, filters: FilterValues = {}): string {
  return titled(`${publisher}: ${feedName(name, messagesOf(language))}`, selectedBy(filters));
}

function selectedBy(filters: FilterValues): string {
  return Object.values(filters).join(', ');
}

function titled(title: string, about: string): string {
  return about === '' ? title : `${title}, ${about}`;
}

function feedName(name: string, t: Messages): string {
  if (name === 'maintenance') return t.planned;
  return name === 'incidents' ? t.feeds.incidents : (said(t.places, name) ?? name);
}

/**
 * Both feeds of each of these lists, with the same filters, and planned maintenance as a calendar beside those of incidents. Lists without feeds, and those
 * that the team does not have, are left out.
 *
 * @param about what the filters select, in the titles of the feeds
 */
export function feedLinks(
  names: readonly (ListName | 'incidents')[],
  { t, present }: Pick<View, 't' | 'present'>,
  filters: FilterValues = {},
  about = selectedBy(filters),
): readonly Alternate[] {
  const shown = FEED_NAMES.filter((name) => names.includes(name) && present.has(name === 'incidents' ? 'status' : name));
  return shown.flatMap((name) => {
    const title = titled(feedName(name, t), about);
    const feeds = [
      { type: 'application/atom+xml', title, path: `/feeds/${name}.atom${queryOf(filters)}` },
      { type: 'application/feed+json', title, path: `/feeds/${name}.json${queryOf(filters)}` },
    ];
    return name === 'incidents' ? [...feeds, calendarLink(titled(feedName('maintenance', t), about), filters)] : feeds;
  });
}

/** Planned maintenance as a calendar, of which only the service can be chosen. */
function calendarLink(title: string, { service }: FilterValues): Alternate {
  return { type: 'text/calendar', title, path: `/feeds/maintenance.ics${queryOf(service === undefined ? {} : { service })}` };
}

function queryOf(filters: FilterValues): string {
  const query = new URLSearchParams(filters).toString();
  return query === '' ? '' : `?${query}`;
}

/** Links to feeds: the name of each list with its formats. A copy of the site has no filtered feeds. */
export function FeedList({ feeds }: { readonly feeds: readonly Alternate[] }) {
  const { t, links } = useView();
  const present = feeds.filter(({ path }) => links.to(path) !== undefined);
  return (
    <ul class="feeds">
      {groupedBy(present, ({ title }) => title).map(({ first: { title }, all }) => (
        <li key={title} class="pair">
          <span>{title}</span>
          <span>
            {all.map(({ type, path }, index) => (
              <>
                {index === 0 ? '' : ' · '}
                <a key={path} href={links.to(path)} type={type} aria-label={`${title}: ${formatOf(type, t)}`}>
                  {formatOf(type, t)}
                </a>
              </>
            ))}
          </span>
        </li>
      ))}
    </ul>
  );
}

function formatOf(type: string, { feeds }: Messages): string {
  if (type === 'text/calendar') return feeds.calendar;
  return type === 'application/atom+xml' ? feeds.atom : feeds.json;
}
