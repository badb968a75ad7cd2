/** The element at an index that is known to exist. */
export function elementOf<Element>(list: readonly Element[], index: number): Element {
  const element = list[index];
  if (element === undefined) throw new RangeError(`There is no element ${String(index)}: the list has ${String(list.length)}.`);
  return element;
}
