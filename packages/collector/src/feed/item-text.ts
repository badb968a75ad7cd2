import { MAX_TITLE, publicLine } from '../git/public-text.js';
import { plainText } from '../web-text/plain-text.js';
import type { FeedItem, FeedText } from './feed-item.js';

const MAX_SUMMARY = 500;
/** Items without a title, such as short messages, are shown with the beginning of their text. */
const MAX_BEGINNING = 100;

/** A text of a feed as a single line without markup. @param limit in code points */
export function lineOf(text: FeedText | undefined, limit: number): string {
  if (text === undefined) return '';
  return publicLine(text.isMarkup ? plainText(text.value) : text.value, limit);
}

export function titleOf({ title, summary, content }: FeedItem): string {
  return lineOf(title, MAX_TITLE) || lineOf(summary, MAX_BEGINNING) || lineOf(content, MAX_BEGINNING);
}

/** The feed's own summary. The full content of an item is never published. */
export function summaryOf({ summary }: FeedItem): string {
  return lineOf(summary, MAX_SUMMARY);
}
