/** The characters of a pattern: those of branch names, and `*`. */
const PATTERN = /^(?!-)[^\0- \x7f~^:?[\\]{1,255}$/;

export function isBranchPattern(text: string): boolean {
  return PATTERN.test(text);
}

/** Whether a pattern matches a branch name. `*` matches any characters except `/`, and `**` matches any characters. Letter case counts. */
export function matchesBranch(pattern: string, name: string): boolean {
  // The set of all positions that the pattern so far can reach. A regular expression would try them one after the other, which can take very long.
  let places: ReadonlySet<number> = new Set([0]);
  for (const part of pattern.split(/(\*+)/)) places = placesAfter(part, places, name);
  return places.has(name.length);
}

function placesAfter(part: string, places: ReadonlySet<number>, name: string): ReadonlySet<number> {
  if (!part.startsWith('*')) return new Set([...places].filter((place) => name.startsWith(part, place)).map((place) => place + part.length));
  const after = new Set<number>();
  for (const start of places) {
    for (let place = start; place <= name.length && !after.has(place); place++) {
      after.add(place);
      if (part === '*' && name[place] === '/') break;
    }
  }
  return after;
}
