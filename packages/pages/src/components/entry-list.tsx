import type { Instant } from '@vitrine/core';
import type { ComponentChildren } from 'preact';
import type { Href } from '../page-links.js';
import { dayNumber } from '../text/formatter.js';
import { useView } from '../view.js';

/** One record of a list. */
export interface Entry {
  readonly key: string;
  readonly href: Href;
  readonly title: string;
  /** The time by which its list is sorted. */
  readonly at: Instant;
  readonly meta: ComponentChildren;
}

interface EntryListProps {
  /** Newest first. */
  readonly entries: readonly Entry[];
}

/** Records in their order. */
export function EntryList({ entries }: EntryListProps) {
  return (
    <ul class="list">
      {entries.map((entry) => (
        <EntryItem key={entry.key} entry={entry} />
      ))}
    </ul>
  );
}

/** Records below a heading for each UTC day. @param level of these headings; 3 by default */
export function DayList({ entries, level = 3 }: EntryListProps & { readonly level?: 2 | 3 }) {
  const { format } = useView();
  const Heading = level === 2 ? 'h2' : 'h3';
  return (
    <>
      {groupedBy(entries, ({ at }) => dayNumber(at)).map((group) => (
        <section key={group.first.key} class="day">
          <Heading>
            <time dateTime={format.isoDay(group.first.at)}>{format.day(group.first.at)}</time>
          </Heading>
          <EntryList entries={group.all} />
        </section>
      ))}
    </>
  );
}

function EntryItem({ entry }: { readonly entry: Entry }) {
  const { t } = useView();
  return (
    <li>
      <a class="title" href={entry.href} dir="auto">
        {entry.title.trim() === '' ? t.record.untitled : entry.title}
      </a>
      <div class="meta">{entry.meta}</div>
    </li>
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
