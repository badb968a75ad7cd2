/** Runs the work for every item, so many at a time. */
export async function inGroups<Item>(items: readonly Item[], size: number, work: (item: Item) => Promise<unknown>): Promise<void> {
  for (let start = 0; start < items.length; start += size) await Promise.all(items.slice(start, start + size).map(work));
}
