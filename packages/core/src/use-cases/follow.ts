import { hasMethod } from '../rules/rules-of-arguments.js';
import type { ChangeFeed, ChangesSince, FeedPosition } from '../ports/changes.js';

/** What one call of the feed asks for. A call that waits costs nothing, so the time is long. */
const QUERY = { limit: 1_000, waitMs: 30_000 } as const;

/**
 * Follows the writes to a store, of all processes. `onChange` first hears that everything may have changed (`isTooOld`), then every change once and in
 * order, when readers see it. It must return quickly and not throw.
 *
 * @param onError called with the reason while the feed cannot be read, at most once a second. No change is lost meanwhile. Default: ignored.
 * @returns a function that ends it
 * @throws TypeError when the store has no feed of changes
 */
export function follow(
  { changeFeed }: { readonly changeFeed: ChangeFeed },
  onChange: (news: ChangesSince) => void,
  onError: (error: unknown) => void = () => undefined,
): () => void {
  if (!hasMethod(changeFeed, 'changesSince')) throw new TypeError('follow needs a store with a feed of changes. Call follow(store, onChange).');
  const ending = new AbortController();
  void followUntil(ending.signal, changeFeed, { onChange, onError });
  return () => ending.abort();
}

interface Listeners {
  readonly onChange: (news: ChangesSince) => void;
  readonly onError: (error: unknown) => void;
}

async function followUntil(signal: AbortSignal, feed: ChangeFeed, { onChange, onError }: Listeners): Promise<void> {
  let position: FeedPosition | null = null;
  while (!signal.aborted) {
    try {
      const news: ChangesSince = await feed.changesSince(position, QUERY, { signal });
      position = news.position;
      if (!isEnded(signal) && (news.isTooOld || news.changes.length > 0)) onChange(news);
    } catch (error) {
      if (!isEnded(signal)) onError(error);
    }
  }
}

/** TypeScript does not know that the signal may abort during a call. */
function isEnded(signal: AbortSignal): boolean {
  return signal.aborted;
}
