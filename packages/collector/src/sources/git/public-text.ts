import { type Provenance, publicId, publishableAuthor, publishableBranch, withoutEmail } from '@vitrine/core';
import { hash } from 'node:crypto';

/** The maximum lengths of texts in records, in code points. */
export const MAX_TITLE = 1_000;
const MAX_TEXT = 65_536;
const MAX_NAME = 255;

// C0 except tab and line feed, DEL, and C1.
const CONTROLS = /[\0-\x08\x0b-\x1f\x7f-\x9f]+/g;

/** A text is read up to this multiple of its limit, so that enough is left even if much of its beginning is removed. */
const READ_TIMES = 4;
/** No e-mail address is longer than this, in any encoding. */
const LONGEST_WORD = 4_096;

/** A text as it may be stored: without control characters (except tab and line feed) and e-mail addresses, which later code must not cut in two. Only its beginning, if it is very long. */
export function publicText(text: string, limit: number): string {
  return withoutEmail(printable(beginning(text, READ_TIMES * limit)));
}

/** The complete words at the beginning of a text. A part of the last word could be half of an e-mail address. */
function beginning(text: string, most: number): string {
  if (text.length <= most + LONGEST_WORD) return text;
  const last = text.slice(most, most + LONGEST_WORD);
  return text.slice(0, most + Math.max(0, last.lastIndexOf(' '), last.lastIndexOf('\n')));
}

/** A whole text of at most `limit` code points. */
export function publicBody(text: string, limit = MAX_TEXT): string {
  return cut(publicText(text, limit).trim(), limit);
}

/** The same as a single line of at most `limit` code points. */
export function publicLine(text: string, limit: number): string {
  return oneLine(publicText(text, limit), limit);
}

/** The name of a person as a single line of at most `limit` code points. Of a name that is an e-mail address, the part before the `@` stays. */
export function publicAuthor(name: string, limit: number): string {
  return oneLine(publishableAuthor(printable(beginning(name, READ_TIMES * limit))), limit);
}

/** A name as a single line. An e-mail address in it is not removed, because the rest would name something else. The store rejects such a record. */
export function plainName(text: string, limit: number): string {
  return oneLine(printable(text), limit);
}

/** A branch name in the form that may be stored; `null` if it contains an e-mail address. */
export function publicBranch(name: string): string | null {
  return publishableBranch(plainName(name, MAX_NAME));
}

/** Half of a pair of surrogates, which JSON can hold, becomes U+FFFD: no store could keep it. */
function printable(text: string): string {
  return text.toWellFormed().replace(/\r\n?/g, '\n').replace(CONTROLS, '');
}

function oneLine(text: string, limit: number): string {
  return cut(text.replace(/\s+/g, ' ').trim(), limit);
}

/** Cuts a text to `limit` code points. A text that was cut ends in "…". */
export function cut(text: string, limit: number): string {
  const points = text.length <= limit ? [] : [...text];
  return points.length <= limit ? text : `${points.slice(0, limit - 1).join('')}…`;
}

export function splitMessage(message: string): { readonly title: string; readonly rest: string } {
  const text = publicText(message, MAX_TEXT).trim();
  const end = text.indexOf('\n');
  if (end < 0) return { title: publicLine(text, MAX_TITLE), rest: '' };
  return { title: publicLine(text.slice(0, end), MAX_TITLE), rest: cut(text.slice(end).trim(), MAX_TEXT) };
}

export function publicIdOf(text: string): string {
  return publicId(text, (ascii) => hash('sha256', ascii, 'hex'));
}

type Evidence = Pick<Provenance, 'sourceUrl' | 'observedAt' | 'publishedAt'> & { readonly confidence?: 'high' | 'medium' | 'low' };

/** Of records whose source is the team's own, or the provider itself. */
export function officialProvenance({ label }: { readonly label: string }, { confidence = 'high', ...evidence }: Evidence): Provenance {
  return { source: label, sourceKind: 'official-source', ...evidence, confidence, isOfficialSource: true };
}

/** Of records that Vitrine has derived itself. */
export function interpretation(label: string, evidence: Evidence & Partial<Pick<Provenance, 'isOfficialSource'>>): Provenance {
  return { ...officialProvenance({ label }, evidence), sourceKind: 'service-interpretation', isOfficialSource: evidence.isOfficialSource ?? true };
}
