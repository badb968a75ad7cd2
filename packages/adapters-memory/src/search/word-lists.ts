const FIRST_CAPACITY = 4_096;

/** One word of a record: its id, and whether a title field contains it. */
export type WordMark = number;

export function wordMark(id: number, inTitle: boolean): WordMark {
  return id * 2 + (inTitle ? 1 : 0);
}

export function markedWord(mark: WordMark): number {
  return mark >>> 1;
}

export function isTitleMark(mark: WordMark): boolean {
  return (mark & 1) === 1;
}

/** The words of each slot, in one shared array, because a hundred thousand small arrays would take more memory than their content. */
export class WordLists {
  #pool = new Uint32Array(FIRST_CAPACITY);
  #end = 0;
  #wasted = 0;
  #offsets: number[] = [];
  #lengths: number[] = [];

  set(slot: number, marks: readonly WordMark[]): void {
    this.remove(slot);
    if (this.#end + marks.length > this.#pool.length) this.#makeRoom(marks.length);
    this.#pool.set(marks, this.#end);
    // Slots may be added in any order, and an array with holes would be slow.
    while (this.#lengths.length <= slot) {
      this.#lengths.push(0);
      this.#offsets.push(0);
    }
    this.#offsets[slot] = this.#end;
    this.#lengths[slot] = marks.length;
    this.#end += marks.length;
  }

  remove(slot: number): void {
    this.#wasted += this.#lengths[slot] ?? 0;
    if (slot < this.#lengths.length) this.#lengths[slot] = 0;
  }

  of(slot: number): Uint32Array {
    const offset = this.#offsets[slot] ?? 0;
    return this.#pool.subarray(offset, offset + (this.#lengths[slot] ?? 0));
  }

  /** 0 if no word of the slot passes the test, 1 if one does, 2 if one of a title does. */
  find(slot: number, test: (id: number) => boolean): 0 | 1 | 2 {
    const start = this.#offsets[slot] ?? 0;
    const end = start + (this.#lengths[slot] ?? 0);
    let found: 0 | 1 = 0;
    for (let i = start; i < end; i++) {
      const mark = this.#pool[i] ?? 0;
      if (!test(markedWord(mark))) continue;
      if (isTitleMark(mark)) return 2;
      found = 1;
    }
    return found;
  }

  #makeRoom(more: number): void {
    const needed = this.#end - this.#wasted + more;
    const before = this.#pool;
    const pool = new Uint32Array(Math.max(FIRST_CAPACITY, Math.ceil(needed * 1.5)));
    let end = 0;
    for (let slot = 0; slot < this.#lengths.length; slot++) {
      const [offset = 0, length = 0] = [this.#offsets[slot], this.#lengths[slot]];
      pool.set(before.subarray(offset, offset + length), end);
      this.#offsets[slot] = end;
      end += length;
    }
    this.#pool = pool;
    this.#end = end;
    this.#wasted = 0;
  }
}
