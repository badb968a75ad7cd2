import { groupedBy } from './entry-list.js';
import type { FilterValues } from './filters.js';
import type { Alternate } from './head.js';
import type { Messages } from '../messages/messages.js';
import type { ListName } from '../page-links.js';
import { useView } from '../view.js';

/** Every list that has feeds. */
export const FEED_NAMES = ['incidents', 'commits', 'releases', 'findings', 'news', 'articles', 'videos'] as const;

const NONE: FilterValues = {};

/** Both feeds of each of these lists, with the same filters. Lists without feeds are left out. */
export function feedLinks(names: readonly (ListName | 'incidents')[], { places, feeds }: Messages, filters = NONE): readonly Alternate[] {
  return FEED_NAMES.filter((name) => names.includes(name)).flatMap((name) => {
    const title = name === 'incidents' ? feeds.incidents : places[name];
    return [
      { type: 'application/atom+xml', title, path: `/feeds/${name}.atom${queryOf(filters)}` },
      { type: 'application/feed+json', title, path: `/feeds/${name}.json${queryOf(filters)}` },
    ];
  });
}

/** Planned maintenance as a calendar. @param filters of which only `service` counts */
export function calendarLink({ planned }: Messages, { service }: FilterValues = NONE): Alternate {
  return { type: 'text/calendar', title: planned, path: `/feeds/maintenance.ics${queryOf(service === undefined ? NONE : { service })}` };
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
