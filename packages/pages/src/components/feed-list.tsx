import type { Messages } from '../messages/messages.js';
import { useView } from '../view.js';
import { groupedBy } from './entry-list.js';
import type { Alternate } from './head.js';

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
