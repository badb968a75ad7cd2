/** Compares text by its UTF-8 bytes, that is, by code points. `<` gives another result for surrogate pairs and U+E000 to U+FFFF. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  const shorter = Math.min(a.length, b.length);
  for (let i = 0; i < shorter; i++) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    if (left !== right) return bytesRank(left) - bytesRank(right);
  }
  return a.length - b.length;
}

/** A surrogate is part of a code point above U+FFFF, so it sorts after every other code unit. */
function bytesRank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
