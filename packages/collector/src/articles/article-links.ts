import { posix } from 'node:path';

/** `](target)` and `](<target> "title")` of links and images, and `[name]: target`. */
const INLINE = /\]\(\s{0,10}(<[^<>\n]{1,2000}>|[^\s()<>]{1,2000})/g;
const REFERENCE = /^(\s{0,3}\[[^\]\n]{1,500}\]:\s{0,10})(<[^<>\n]{1,2000}>|\S{1,2000})/gm;
const SCHEME = /^[a-z][\w+.-]*:|^\/\//i;

/** Where links to other files of the folder lead. @param name the file with its subfolders @returns an absolute address; `null`: the link stays as it is */
export type AddressOfFile = (name: string, anchor: string) => string | null;

/**
 * The text with the addresses of other files in place of relative links. Links to anchors, absolute addresses and code stay. @param name the file in which the text stands
 */
export function withAbsoluteLinks(markdown: string, name: string, addressOf: AddressOfFile): string {
  const replaced = (target: string): string => {
    const bare = target.replace(/^<|>$/g, '');
    const address = addressOfTarget(bare, name, addressOf);
    return address === null ? target : address;
  };
  return outsideCode(markdown, (text) =>
    text
      .replace(INLINE, (link, target: string) => link.slice(0, -target.length) + replaced(target))
      .replace(REFERENCE, (_, before: string, target: string) => before + replaced(target)),
  );
}

function addressOfTarget(target: string, name: string, addressOf: AddressOfFile): string | null {
  if (SCHEME.test(target) || target.startsWith('#') || target.startsWith('/')) return null;
  const hash = target.indexOf('#');
  const [path, anchor] = hash < 0 ? [target, ''] : [target.slice(0, hash), target.slice(hash)];
  const file = posix.normalize(posix.join(posix.dirname(name), decoded(path.split('?', 1)[0] ?? '')));
  return file === '..' || file.startsWith('../') ? null : addressOf(file, anchor);
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Changes a text except for its code. A mark that is not closed is no code. */
function outsideCode(markdown: string, change: (text: string) => string): string {
  let [result, from] = ['', 0];
  const mark = /`+|~{3,}/g;
  const unclosed = new Set<string>();
  for (let found = mark.exec(markdown); found !== null; found = mark.exec(markdown)) {
    const [fence] = found;
    const end = unclosed.has(fence) ? -1 : markdown.indexOf(fence, mark.lastIndex);
    if (end < 0) {
      unclosed.add(fence);
      continue;
    }
    const after = end + fence.length;
    result += change(markdown.slice(from, found.index)) + markdown.slice(found.index, after);
    [from, mark.lastIndex] = [after, after];
  }
  return result + change(markdown.slice(from));
}
