const MAX_LENGTH = 64;

/** The candidate most similar to a misspelt word, in any letter case; `null` if more than a third of the letters differ from each candidate. */
export function nearest(word: string, candidates: readonly string[]): string | null {
  if (word.length > MAX_LENGTH) return null;
  const wanted = word.toLowerCase();
  let best: string | null = null;
  let least = Infinity;
  for (const candidate of candidates) {
    const most = Math.max(1, Math.floor(Math.max(word.length, candidate.length) / 3));
    if (Math.abs(word.length - candidate.length) > most) continue;
    const distance = editDistance(wanted, candidate.toLowerCase());
    if (distance < least && distance <= most) [best, least] = [candidate, distance];
  }
  return best;
}

/** The number of insertions, deletions, replacements and swaps of neighbouring letters (optimal string alignment). */
function editDistance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number): number => rows[row]?.[column] ?? Infinity;
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    rows.push(current);
    for (let column = 1; column <= b.length; column++) {
      const replaced = at(row - 1, column - 1) + Number(a[row - 1] !== b[column - 1]);
      const shifted = Math.min(at(row - 1, column), at(row, column - 1)) + 1;
      const swapped = isSwap(a, b, row, column) ? at(row - 2, column - 2) + 1 : Infinity;
      current.push(Math.min(replaced, shifted, swapped));
    }
  }
  return at(a.length, b.length);
}

/** Whether the last two letters of both parts are the same in reverse order. */
function isSwap(a: string, b: string, row: number, column: number): boolean {
  return row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
}
