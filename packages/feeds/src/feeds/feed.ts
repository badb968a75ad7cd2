import type { Instant } from '@vitrine/core';

/** One record in a feed. All texts but `markdown` and `html` are plain text: nothing in them is markup. */
export interface FeedEntry {
  /** The address of the record in the API. It never changes, so readers know the entry again. */
  readonly id: string;
  /** Where people read it. */
  readonly url: string;
  /** Where the record comes from; `null` if that has no public address. */
  readonly originUrl: string | null;
  readonly title: string;
  readonly text: string;
  /** The same text as Markdown, if the record has it so. */
  readonly markdown?: string;
  /** What was rendered from the Markdown: HTML that is safe to show. Without it, readers get the plain text. */
  readonly html?: string;
  readonly authorName: string | null;
  readonly tags: readonly string[];
  readonly publishedAt: Instant;
  /** When the record was last changed at its origin. */
  readonly updatedAt: Instant;
}

/** A list of records as a feed, newest first. */
export interface Feed {
  readonly title: string;
  /** Who publishes the feed: Atom requires an author where an entry has none. */
  readonly publisher: string;
  /** The address of the feed itself, in this format. */
  readonly selfUrl: string;
  /** The same list for people. */
  readonly url: string;
  readonly entries: readonly FeedEntry[];
}
