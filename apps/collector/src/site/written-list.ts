/** The file of a folder that lists what the command wrote into it. */
export const LIST = '.vitrine-site';

const HEADER = '# What "vitrine site" wrote here. It removes what is no longer needed, and nothing else.';

/** Visible names of files and folders, so that no path leads out of the folder or to a file like `.git`. */
const PATH = /^[\w@~-][\w.@~-]*(?:\/[\w@~-][\w.@~-]*)*$/;

/** The paths in the text of the list. The last one may be cut off, if the command was killed. `null` for another text. */
export function readList(text: string): readonly string[] | null {
  const [header, ...lines] = text.split('\n');
  // What follows the last line break is empty, or was not written to its end.
  return header === HEADER && lines.length > 0 && lines.every(isPathOrCut) ? lines.slice(0, -1) : null;
}

function isPathOrCut(line: string, index: number, lines: readonly string[]): boolean {
  return index === lines.length - 1 || PATH.test(line);
}

export function listText(paths: Iterable<string>): string {
  return [HEADER, ...[...paths].sort()].map((line) => `${line}\n`).join('');
}
