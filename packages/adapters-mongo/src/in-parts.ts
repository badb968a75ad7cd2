/** Splits items into parts of a given size, in order. The last part may be smaller. */
export function inParts<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size));
}

/** Runs the work for every item, with a limited number at the same time. */
export async function inGroups<Item>(items: readonly Item[], size: number, work: (item: Item) => Promise<unknown>): Promise<void> {
  for (let start = 0; start < items.length; start += size) await Promise.all(items.slice(start, start + size).map(work));
}
