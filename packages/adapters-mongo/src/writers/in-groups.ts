/** Runs the work for every item, with a limited number at the same time. */
export async function inGroups<Item>(items: readonly Item[], size: number, work: (item: Item) => Promise<unknown>): Promise<void> {
  for (let start = 0; start < items.length; start += size) await Promise.all(items.slice(start, start + size).map(work));
}
