import type { Language } from '../site.js';
import { english } from './english.js';
import { german } from './german.js';

/** Every text of the pages. */
export type Messages = typeof english;

const CATALOGUES: Readonly<Record<Language, Messages>> = { en: english, de: german };

export function messagesOf(language: Language): Messages {
  return CATALOGUES[language];
}
