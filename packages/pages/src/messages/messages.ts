import { englishRecords } from './english-records.js';
import { englishStatus } from './english-status.js';
import { englishWords } from './english-words.js';
import { germanRecords } from './german-records.js';
import { germanStatus } from './german-status.js';
import { germanWords } from './german-words.js';
import type { Language } from '../site.js';

/** Every text of the pages in English. Counts come twice: as a number, and as it is written. */
const english = { ...englishRecords, ...englishStatus, ...englishWords };

/** Every text of the pages in German. Counts come twice: as a number, and as it is written. */
const german: typeof english = { ...germanRecords, ...germanStatus, ...germanWords };

/** Every text of the pages. */
export type Messages = typeof english;

const CATALOGUES: Readonly<Record<Language, Messages>> = { en: english, de: german };

export function messagesOf(language: Language): Messages {
  return CATALOGUES[language];
}
