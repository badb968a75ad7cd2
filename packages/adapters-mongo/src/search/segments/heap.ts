/** A binary heap: the smallest of some items, where the smallest item changes and is put in place again. */
export class Heap<Item> {
  readonly #items: Item[];
  readonly #compare: (a: Item, b: Item) => number;

  constructor(items: readonly Item[], compare: (a: Item, b: Item) => number) {
    [this.#items, this.#compare] = [[...items].sort(compare), compare];
  }

  /** The smallest item; `undefined` if there is none. */
  get top(): Item | undefined {
    return this.#items[0];
  }

  /** Removes the smallest item. */
  removeTop(): void {
    const last = this.#items.pop();
    if (last === undefined || this.#items.length === 0) return;
    this.#items[0] = last;
    this.topChanged();
  }

  /** Puts the first item in its place, after it has become greater. */
  topChanged(): void {
    const items = this.#items;
    const moved = items[0];
    if (moved === undefined) return;
    let at = 0;
    for (let child = this.#smallerChild(0); child !== null; child = this.#smallerChild(at)) {
      const item = items[child];
      if (item === undefined || this.#compare(moved, item) <= 0) break;
      items[at] = item;
      at = child;
      items[at] = moved;
    }
  }

  #smallerChild(parent: number): number | null {
    const [left, right] = [2 * parent + 1, 2 * parent + 2];
    const [first, second] = [this.#items[left], this.#items[right]];
    if (first === undefined) return null;
    return second !== undefined && this.#compare(second, first) < 0 ? right : left;
  }
}
