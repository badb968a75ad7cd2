import { quotable } from '@vitrine/core';
import { label, linkAddress, publicAddress, sentence } from '../config-fields.js';
import type { ForeignSite } from './foreign-check.js';

/** The part of the file about the pages, and notes about values that could not be carried over. */
export interface DraftedSite {
  readonly site: { readonly title?: string } & Readonly<Record<string, unknown>>;
  readonly publicUrl: string | null;
  readonly notes: readonly string[];
}

const [LONGEST_TITLE, LONGEST_SENTENCE] = [255, 500];
const MOST_LINKS = 20;

/**
 * The keys of the pages that another monitor had.
 *
 * @param title replaces that of the other monitor; `null`: none does
 * @param logo the name of the file with the logo; `null` if there is none
 */
export function draftedSite(foreign: ForeignSite, title: string | null, logo: string | null): DraftedSite {
  const notes: string[] = [];
  const links = linksOf(foreign, notes);
  const site = {
    ...textOf('title', title ?? foreign.title, LONGEST_TITLE, notes),
    ...textOf('description', foreign.description, LONGEST_SENTENCE, notes),
    ...(logo !== null && { logo }),
    ...(links.length > 0 && { links }),
    ...textOf('footer', foreign.footer, LONGEST_SENTENCE, notes),
  };
  if (foreign.logo !== '' && logo === null)
    notes.push('not carried over: the logo (Vitrine shows a file: save the image beside this file, and name it in site.logo)');
  return { site, publicUrl: publicUrlOf(foreign, notes), notes };
}

function textOf(key: string, text: string, longest: number, notes: string[]): Readonly<Record<string, string>> {
  const shown = quotable(text, longest).trim();
  if (shown !== text.trim())
    notes.push(`site.${key}: was changed, because it is too long, or has line breaks, addresses or characters that cannot be shown`);
  const isValid = key === 'title' ? label.safeParse(shown).success : sentence.safeParse(shown).success;
  return isValid ? { [key]: shown } : {};
}

function linksOf({ links }: ForeignSite, notes: string[]) {
  const usable = links.filter((link) => label.safeParse(link.label).success && linkAddress.safeParse(link.url).success);
  const shown = usable.slice(0, MOST_LINKS);
  if (shown.length < links.length)
    notes.push(
      `not carried over: ${String(links.length - shown.length)} links (a link needs a label and an http or https address, and at most ${String(MOST_LINKS)} are shown)`,
    );
  return shown.map((link) => ({ label: quotable(link.label, LONGEST_TITLE).trim() || link.url, url: link.url }));
}

function publicUrlOf({ publicUrl }: ForeignSite, notes: string[]): string | null {
  if (publicUrl === '') return null;
  const read = publicAddress.safeParse(publicUrl);
  if (!read.success) {
    notes.push('not carried over: the address of the page (it is not a public web address)');
    return null;
  }
  notes.push(`publicUrl is the address of the other page: if Vitrine gets another one, correct it`);
  return read.data;
}
