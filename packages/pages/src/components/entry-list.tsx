import type { Instant } from '@vitrine/core';
import type { ComponentChildren } from 'preact';
import type { Href } from '../page-links.js';
import { useView } from '../view.js';

export interface Entry {
  readonly key: string;
  readonly href: Href;
  readonly title: string;
  /** The time by which its list is sorted. */
  readonly at: Instant;
  /** The day to which it belongs, as the start of the UTC day with the same date. */
  readonly day: Instant;
  readonly meta: ComponentChildren;
  /** The address of a picture on another server, which is shown if the site allows images. */
  readonly picture?: string | null;
}

interface EntryListProps {
  /** Newest first. */
  readonly entries: readonly Entry[];
}

export function EntryList({ entries }: EntryListProps) {
  return (
    <ul class="list">
      {entries.map((entry) => (
        <EntryItem key={entry.key} entry={entry} />
      ))}
    </ul>
  );
}

/** Records below a heading for each day of the time zone of the site. In zones west of UTC, articles that have no time of day move up to their day. */
export function DayList({ entries }: EntryListProps) {
  const sorted = entries.toSorted((a, b) => b.day - a.day);
  return (
    <div class="days">
      {groupedBy(sorted, ({ day }) => day).map(({ first, all }) => (
        <section key={first.key}>
          <h2>
            <DayName day={first.day} />
          </h2>
          <EntryList entries={all} />
        </section>
      ))}
    </div>
  );
}

/** The day of a group. @param props.day as the start of the UTC day with the same date */
export function DayName({ day }: Pick<Entry, 'day'>) {
  const { format, now } = useView();
  return <time dateTime={format.isoDay(day)}>{format.weekday(day, now)}</time>;
}

function EntryItem({ entry }: { readonly entry: Entry }) {
  const { site } = useView();
  const { picture = null } = entry;
  return (
    <li>
      <a class="title" href={entry.href} dir="auto">
        {site.images && picture !== null && picture.startsWith('https://') ? (
          <img class="thumb" src={picture} alt="" loading="lazy" width="320" height="180" />
        ) : null}
        <Titled text={entry.title} />
      </a>
      <div class="meta">{entry.meta}</div>
    </li>
  );
}

export function Titled({ text }: { readonly text: string }) {
  const { t } = useView();
  return <>{text.trim() === '' ? t.record.untitled : text}</>;
}

export function TitleLink({ href, text, class: className }: { readonly href: Href; readonly text: string; readonly class?: string | undefined }) {
  return (
    <a class={className} href={href} dir="auto">
      <Titled text={text} />
    </a>
  );
}

export interface Group<Item> {
  readonly first: Item;
  readonly all: readonly Item[];
}

/** Neighbours with the same key. */
export function groupedBy<Item>(items: readonly Item[], keyOf: (item: Item) => unknown): readonly Group<Item>[] {
  const groups: { first: Item; all: Item[] }[] = [];
  for (const item of items) {
    const last = groups.at(-1);
    if (last !== undefined && keyOf(last.first) === keyOf(item)) last.all.push(item);
    else groups.push({ first: item, all: [item] });
  }
  return groups;
}
