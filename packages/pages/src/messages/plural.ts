/** The form for one, or for any other number. */
export function plural(count: number, one: string, many: string): string {
  return count === 1 ? one : many;
}
