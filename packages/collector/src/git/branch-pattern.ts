/** What a pattern of branch names may hold: no character that a branch name cannot have, but `*`. */
const PATTERN = /^(?!-)[^\0- \x7f~^:?[\\]{1,255}$/;

export function isBranchPattern(text: string): boolean {
  return PATTERN.test(text);
}

/** Whether a pattern takes a branch. `*` stands for any characters but `/`, and `**` for any at all; upper and lower case differ. */
export function matchesBranch(pattern: string, name: string): boolean {
  const source = pattern
    .split(/(\*+)/)
    .map((part) => (part.startsWith('*') ? (part.length === 1 ? '[^/]*' : '.*') : part.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')))
    .join('');
  return new RegExp(`^${source}$`, 's').test(name);
}
