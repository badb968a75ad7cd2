import { posix } from 'node:path';
import { outsideCode } from './markdown-code.js';

/** `](target)` and `](<target> "title")` of links and images, and `[name]: target`, but no footnotes: `[^1]: text`. */
const INLINE = /\]\(\s{0,10}(<[^<>\n\0]{1,2000}>|[^\s()<>\0]{1,2000})/g;
const REFERENCE = /^(\s{0,3}\[(?!\^)[^\]\n]{1,500}\]:\s{0,10})(<[^<>\n\0]{1,2000}>|[^\s\0]{1,2000})/gm;
const HTML_IMAGE = /<img\s[^<>]*>/gi;
const SRC = /(\ssrc=["'])([^"'\n\0]+)/i;
const SCHEME = /^[a-z][\w+.-]*:/i;
/** Anchors, paths of a site, and addresses that Liquid makes: `{{ site.url }}`. */
const NO_FILE = /^(?:[#/]|\{[{%])/;

/** Where links to other files lead. @param name the file with its subfolders; outside of the folder, it begins with `../` @returns an absolute address; `null`: the link stays as it is */
type AddressOfFile = (name: string, anchor: string) => string | null;

/** The text with addresses in place of relative links to other files. Code stays. @param name the file in which the text stands */
export function withAbsoluteLinks(markdown: string, name: string, addressOf: AddressOfFile): string {
  const replaced = (target: string): string => addressOfTarget(target.replace(/^<|>$/g, ''), name, addressOf) ?? target;
  return outsideCode(markdown, (text) =>
    text
      .replace(INLINE, (link, target: string) => link.slice(0, -target.length) + replaced(target))
      .replace(REFERENCE, (_, before: string, target: string) => before + replaced(target))
      .replace(HTML_IMAGE, (tag) => tag.replace(SRC, (_, before: string, target: string) => before + replaced(target))),
  );
}

const IMAGE = /\.(?:png|jpe?g|gif|webp)$/i;

export function isOutside(file: string): boolean {
  return file === '..' || file.startsWith('../');
}

export function imageFilesIn(markdown: string, name: string): readonly string[] {
  const files = new Set<string>();
  withAbsoluteLinks(markdown, name, (file) => {
    if (IMAGE.test(file) && !isOutside(file)) files.add(file);
    return null;
  });
  return [...files];
}

function addressOfTarget(target: string, name: string, addressOf: AddressOfFile): string | null {
  if (SCHEME.test(target) || NO_FILE.test(target)) return null;
  const hash = target.indexOf('#');
  const [path, anchor] = hash < 0 ? [target, ''] : [target.slice(0, hash), target.slice(hash)];
  return addressOf(posix.normalize(posix.join(posix.dirname(name), decoded(path.split('?', 1)[0] ?? ''))), anchor);
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
