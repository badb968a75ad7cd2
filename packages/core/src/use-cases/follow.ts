import { FUNCTION, hasMethod, isObject } from '../rules/rules-of-arguments.js';
import type { ChangeFeed, ChangesSince, FeedPosition } from '../ports/changes.js';

/** What one call of the feed asks for. A call that waits costs nothing, so the time is long. */
const QUERY = { limit: 1_000, waitMs: 30_000 } as const;

/**
 * Follows the writes to a store, of all processes. `onChange` first hears that everything may have changed (`isTooOld`), then every change once and in
 * order, when readers see it. It must return quickly and not throw.
 *
 * @param onError called with the reason while the feed cannot be read, at most once a second. No change is lost meanwhile. Default: ignored.
 * @returns a function that ends it
 * @throws TypeError if the store has no feed of changes, or if a given callback is not a function
 */
export function follow(
  store: { readonly changeFeed: ChangeFeed },
  onChange: (news: ChangesSince) => void,
  onError: (error: unknown) => void = () => undefined,
): () => void {
  const changeFeed = isObject(store) ? store.changeFeed : null;
  if (changeFeed === null || !hasMethod(changeFeed, 'changesSince'))
    throw new TypeError('follow needs a store with a feed of changes. Call follow(store, onChange).');
  // Otherwise each change would end in an error that nobody hears.
  if (![onChange, onError].every(FUNCTION.accepts)) throw new TypeError('follow needs functions to call. Call follow(store, onChange, onError).');
  const ending = new AbortController();
  const { signal } = ending;
  const isEnded = (): boolean => signal.aborted;
  const run = async (): Promise<void> => {
    let position: FeedPosition | null = null;
    while (!isEnded()) {
      try {
        const news: ChangesSince = await changeFeed.changesSince(position, QUERY, { signal });
        position = news.position;
        if (!isEnded() && (news.isTooOld || news.changes.length > 0)) onChange(news);
      } catch (error) {
        if (!isEnded()) onError(error);
      }
    }
  };
  void run();
  return () => ending.abort();
}
