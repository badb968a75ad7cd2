import type { englishWords } from './english-words.js';

/** The names of values of records in German. */
export const germanWords: typeof englishWords = {
  channels: { stable: 'Stabil', prerelease: 'Vorabversion', rc: 'Release Candidate', beta: 'Beta', alpha: 'Alpha', nightly: 'Nightly' },
  findingStatuses: { EXPERIMENTAL: 'Experimentell', CONFIRMED: 'Bestätigt', RELEASED: 'Veröffentlicht', RETRACTED: 'Zurückgezogen' },
  buildStates: {
    queued: 'Wartet',
    running: 'Läuft',
    succeeded: 'Bestanden',
    failed: 'Fehlgeschlagen',
    cancelled: 'Abgebrochen',
    skipped: 'Übersprungen',
    unknown: 'Unbekannt',
  },
  articleKinds: { article: 'Artikel', help: 'Hilfe', changelog: 'Änderungen' },
  changeTypes: {
    feature: 'Funktion',
    fix: 'Fehlerbehebung',
    docs: 'Dokumentation',
    tests: 'Tests',
    refactor: 'Refactoring',
    performance: 'Leistung',
    build: 'Build',
    ci: 'CI',
    dependencies: 'Abhängigkeiten',
    security: 'Sicherheit',
    revert: 'Rücknahme',
    chore: 'Pflege',
    other: 'Sonstiges',
  },
  missionStatuses: { planned: 'Geplant', active: 'Läuft', paused: 'Pausiert', completed: 'Abgeschlossen', cancelled: 'Abgebrochen' },
  articleChanges: {
    added: 'Neu',
    changed: 'Geändert',
    deprecated: 'Veraltet',
    removed: 'Entfernt',
    fixed: 'Behoben',
    security: 'Sicherheit',
  },
};
