/** Moves through the items of a sequence of blocks, of which only the next ones are in memory. */
export class BlockStream<Block, Item> {
  readonly #ids: readonly string[];
  readonly #itemsOf: (block: Block) => readonly Item[];
  #requested = 0;
  #ready: Block[] = [];
  #items: readonly Item[] = [];
  #index = 0;
  #passed = 0;
  #wasUsed = true;

  /** @param ids the ids of the blocks, in order. Each block has at least one item */
  constructor(ids: readonly string[], itemsOf: (block: Block) => readonly Item[]) {
    [this.#ids, this.#itemsOf] = [ids, itemsOf];
  }

  /** The current item; `null` at the end, or if its block must be read first. */
  get item(): Item | null {
    return this.#items[this.#index] ?? null;
  }

  /** The block of the current item. */
  get block(): Block | null {
    return this.#ready[0] ?? null;
  }

  /** The index of the current item in its block. */
  get index(): number {
    return this.#index;
  }

  /** The index of the current item in all blocks. */
  get position(): number {
    return this.#passed + this.#index;
  }

  get mustRead(): boolean {
    return this.#ready.length === 0 && this.hasUnread;
  }

  /** The number of blocks in memory. */
  get readyCount(): number {
    return this.#ready.length;
  }

  /** Whether it has advanced since blocks were last wanted. */
  get wasUsed(): boolean {
    return this.#wasUsed;
  }

  get hasUnread(): boolean {
    return this.#requested < this.#ids.length;
  }

  advance(): void {
    this.#wasUsed = true;
    this.#index += 1;
    if (this.#index < this.#items.length) return;
    this.#passed += this.#items.length;
    this.#ready.shift();
    this.#begin();
  }

  /** The ids of the next blocks to read, so that this many are in memory. */
  wanted(count: number): readonly string[] {
    this.#wasUsed = false;
    return this.#ids.slice(this.#requested, this.#requested + Math.max(0, count - this.#ready.length));
  }

  /** @param ids what {@link wanted} has returned */
  receive(ids: readonly string[], blocks: ReadonlyMap<string, Block>): void {
    this.#requested += ids.length;
    const wasEmpty = this.#ready.length === 0;
    for (const id of ids) {
      const block = blocks.get(id);
      if (block !== undefined) this.#ready.push(block);
    }
    if (wasEmpty) this.#begin();
  }

  #begin(): void {
    const [block] = this.#ready;
    this.#items = block === undefined ? [] : this.#itemsOf(block);
    this.#index = 0;
  }
}

/**
 * Reads the next blocks with one call, if a stream must be read: for all streams that were used since the last call. Streams may be used one after the other, or all together.
 *
 * @param count how many blocks of all streams together are in memory (but at least one of each)
 */
export async function readAhead<Block>(
  streams: readonly BlockStream<Block, unknown>[],
  count: number,
  read: (ids: readonly string[]) => Promise<ReadonlyMap<string, Block>>,
): Promise<void> {
  if (!streams.some(({ mustRead }) => mustRead)) return;
  const used = streams.filter(({ hasUnread, wasUsed }) => hasUnread && wasUsed);
  const unusedCount = streams.reduce((sum, { wasUsed, readyCount }) => (wasUsed ? sum : sum + readyCount), 0);
  const each = Math.max(1, Math.floor((count - unusedCount) / used.length));
  const wanted = used.map((stream) => ({ stream, ids: stream.wanted(each) }));
  const blocks = await read(wanted.flatMap(({ ids }) => ids));
  for (const { stream, ids } of wanted) stream.receive(ids, blocks);
}
