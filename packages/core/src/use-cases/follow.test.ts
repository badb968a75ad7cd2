import type { ChangeFeed, ChangesSince, FeedPosition } from '../ports/changes.js';
import { aChange } from '../testing/builders.js';
import { follow } from './follow.js';

const change = (key: string) => ({ ...aChange({ key }), position: key });

/** A feed that the test answers. */
class FakeFeed implements ChangeFeed {
  readonly asked: (FeedPosition | null)[] = [];
  #answer: { resolve: (news: ChangesSince) => void; reject: (error: unknown) => void } | null = null;

  changesSince(position: FeedPosition | null, _query: unknown, { signal }: { readonly signal: AbortSignal }): Promise<ChangesSince> {
    this.asked.push(position);
    return new Promise((resolve, reject) => {
      this.#answer = { resolve, reject };
      signal.addEventListener('abort', () => {
        reject(new Error('aborted'));
      });
    });
  }

  async tell(news: ChangesSince): Promise<void> {
    this.#answer?.resolve(news);
    await new Promise(setImmediate);
  }

  async fail(error: unknown): Promise<void> {
    this.#answer?.reject(error);
    await new Promise(setImmediate);
  }
}

function followed() {
  const changeFeed = new FakeFeed();
  const heard: string[] = [];
  const end = follow(
    { changeFeed },
    ({ isTooOld, changes }) => heard.push(isTooOld ? 'too old' : changes.map(({ key }) => key).join()),
    (error) => heard.push(String(error)),
  );
  return { changeFeed, heard, end };
}

describe('follow', () => {
  it.each([undefined, null, {}, new FakeFeed(), { changeFeed: {} }, { changeFeed: null }])(
    'refuses what is no store with a feed of changes',
    (store) => {
      const wrong = store as unknown as { readonly changeFeed: ChangeFeed };
      expect(() => follow(wrong, () => undefined)).toThrow(
        new TypeError('follow needs a store with a feed of changes. Call follow(store, onChange).'),
      );
    },
  );

  it.each([
    [undefined, undefined],
    [{ onChange: () => undefined }, undefined],
    [() => undefined, 'onError'],
  ])('refuses what it cannot call: %p, %p', (onChange, onError) => {
    const changeFeed = new FakeFeed();
    expect(() => follow({ changeFeed }, onChange as () => void, onError as unknown as () => void)).toThrow(
      new TypeError('follow needs functions to call. Call follow(store, onChange, onError).'),
    );
    expect(changeFeed.asked).toEqual([]);
  });

  it('hears first that everything may have changed, then each change once, and asks from where it is', async () => {
    const { changeFeed, heard, end } = followed();
    await changeFeed.tell({ isTooOld: true, changes: [], position: 'p0' });
    await changeFeed.tell({ isTooOld: false, changes: [change('a'), change('b')], position: 'p1' });
    await changeFeed.tell({ isTooOld: false, changes: [], position: 'p2' });
    await changeFeed.tell({ isTooOld: true, changes: [], position: 'p9' });
    expect(heard).toEqual(['too old', 'a,b', 'too old']);
    expect(changeFeed.asked).toEqual([null, 'p0', 'p1', 'p2', 'p9']);
    end();
  });

  it('loses nothing while the feed cannot be read', async () => {
    const { changeFeed, heard, end } = followed();
    await changeFeed.tell({ isTooOld: true, changes: [], position: 'p0' });
    await changeFeed.fail('down');
    await changeFeed.fail('down');
    await changeFeed.tell({ isTooOld: false, changes: [change('a')], position: 'p1' });
    expect([heard, changeFeed.asked]).toEqual([
      ['too old', 'down', 'down', 'a'],
      [null, 'p0', 'p0', 'p0', 'p1'],
    ]);
    end();
  });

  it('hears nothing after the end, and asks no more', async () => {
    const { changeFeed, heard, end } = followed();
    end();
    await changeFeed.tell({ isTooOld: true, changes: [], position: 'p0' });
    await changeFeed.fail('down');
    expect([heard, changeFeed.asked]).toEqual([[], [null]]);
  });
});
