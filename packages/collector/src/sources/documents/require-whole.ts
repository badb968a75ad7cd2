import { DocumentError } from '../../running/source.js';

/** What git has in place of a file that Git LFS keeps. */
const LFS_POINTER = /^version https:\/\/git-lfs\.github\.com\/spec\//;

/** Throws a `DocumentError` if a file has no text now. */
export function requireWhole(name: string, text: string): void {
  // Many programs empty a file before they write it again.
  if (text.trim() === '') throw new DocumentError('not complete', `${name}: is empty; write a text`);
  if (LFS_POINTER.test(text)) throw new DocumentError('not complete', `${name}: is a pointer of Git LFS; keep the text itself in git`);
}
