import type { Language } from '../site.js';
import type { Both } from './both.js';
import { pageTexts } from './page-texts.js';
import { recordTexts } from './record-texts.js';
import { statusTexts } from './status-texts.js';

/** The texts of a catalogue in one language. */
type TextsOf<Catalogue> = {
  readonly [Name in keyof Catalogue]: Catalogue[Name] extends Both<infer Text> ? Text : TextsOf<Catalogue[Name]>;
};

/** Every text of the pages. */
export type Messages = TextsOf<typeof pageTexts & typeof recordTexts & typeof statusTexts>;

const ALL = { ...pageTexts, ...recordTexts, ...statusTexts };
const CATALOGUES: Readonly<Record<Language, Messages>> = { en: textsIn(ALL, 'en'), de: textsIn(ALL, 'de') };

function textsIn<Catalogue extends object>(catalogue: Catalogue, language: Language): TextsOf<Catalogue> {
  const texts = Object.entries(catalogue).map(([name, entry]: [string, object]) => [
    name,
    isBoth(entry) ? entry[language] : textsIn(entry, language),
  ]);
  return Object.fromEntries(texts) as TextsOf<Catalogue>;
}

function isBoth(entry: object): entry is Both<unknown> {
  return 'en' in entry && 'de' in entry;
}

export function messagesOf(language: Language): Messages {
  return CATALOGUES[language];
}
