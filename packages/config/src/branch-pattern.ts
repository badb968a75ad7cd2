/** What a pattern of branch names may hold: no character that a branch name cannot have, but `*`. */
const PATTERN = /^(?!-)[^\0- \x7f~^:?[\\]{1,255}$/;

export function isBranchPattern(text: string): boolean {
  return PATTERN.test(text);
}

/** Whether a pattern takes a branch. `*` stands for any characters but `/`, and `**` for any at all; upper and lower case differ. */
export function matchesBranch(pattern: string, name: string): boolean {
  // Every place that the part of the pattern so far can lead to: a regular expression would try them one after the other.
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
