import type { Incident } from '@vitrine/core';

/** The languages of feeds and of the calendar. */
export type FeedLanguage = 'en' | 'de';

interface FeedWords {
  readonly services: (names: string) => string;
  readonly planned: (start: string, end: string | null) => string;
  readonly since: (start: string, end: string | null) => string;
  readonly state: (state: string, impact: string) => string;
  readonly nameOf: (stateOrImpact: Incident['state'] | Incident['impact']) => string;
}

const english: FeedWords = {
  services: (names) => `Services: ${names}`,
  planned: (start, end) => `Planned for ${start}${end === null ? '' : ` until ${end}`}.`,
  since: (start, end) => `Since ${start}${end === null ? '' : ` until ${end}`}.`,
  state: (state, impact) => `State: ${state}. Impact: ${impact}.`,
  nameOf: (name) => name.replace('_', ' '),
};

const GERMAN_NAMES: Readonly<Record<Incident['state'] | Incident['impact'], string>> = {
  investigating: 'wird untersucht',
  identified: 'Ursache gefunden',
  monitoring: 'wird beobachtet',
  resolved: 'behoben',
  postmortem: 'Nachbetrachtung',
  scheduled: 'geplant',
  in_progress: 'läuft',
  verifying: 'wird überprüft',
  completed: 'abgeschlossen',
  none: 'keine',
  minor: 'gering',
  major: 'erheblich',
  critical: 'kritisch',
  maintenance: 'Wartung',
};

const german: FeedWords = {
  services: (names) => `Dienste: ${names}`,
  planned: (start, end) => `Geplant ab ${start}${end === null ? '' : ` bis ${end}`}.`,
  since: (start, end) => `Seit ${start}${end === null ? '' : `, geplant bis ${end}`}.`,
  state: (state, impact) => `Zustand: ${state}. Auswirkung: ${impact}.`,
  nameOf: (name) => GERMAN_NAMES[name],
};

/** What feeds and the calendar say themselves. Texts of records stay as they are. */
export const FEED_WORDS: Readonly<Record<FeedLanguage, FeedWords>> = { en: english, de: german };
