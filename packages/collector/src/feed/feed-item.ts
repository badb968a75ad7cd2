import type { MediaNs } from 'feedsmith';

/** A text of a feed. */
export interface FeedText {
  readonly value: string;
  /** Whether the text is HTML. */
  readonly isMarkup: boolean;
}

/** An item in the form that all formats share. Nothing in it is checked yet. `undefined`: the feed does not say. */
export interface FeedItem {
  /** The identity that the feed gives to the item. */
  readonly guid: string | undefined;
  /** Addresses of the item, the best one first. They may be relative. */
  readonly links: readonly (string | undefined)[];
  /** An identity that is also an address if it is a whole one. */
  readonly permalink: string | undefined;
  /** What relative addresses of the item refer to (`xml:base`). It may itself be relative. */
  readonly base?: string | undefined;
  readonly title: FeedText | undefined;
  readonly summary: FeedText | undefined;
  readonly content: FeedText | undefined;
  readonly published: string | undefined;
  readonly author: string | undefined;
  readonly language: string | undefined;
  readonly tags: readonly (string | undefined)[];
  readonly media?: MediaNs.ItemOrFeed | undefined;
  readonly youtubeId?: string | undefined;
  /** The MIME types of attached files. */
  readonly attachedTypes: readonly (string | undefined)[];
  readonly durationSeconds?: number | undefined;
}

export interface Feed {
  /** What relative addresses refer to (`xml:base`). It may itself be relative. */
  readonly base?: string | undefined;
  readonly title: FeedText | undefined;
  /** The address of the web page that the feed belongs to. */
  readonly home: string | undefined;
  readonly language: string | undefined;
  readonly generator: string | undefined;
  readonly items: readonly FeedItem[];
}
