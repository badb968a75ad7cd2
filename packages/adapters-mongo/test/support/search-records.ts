import { nameOfRef, NO_REPOSITORY, type RepositoryRef, type SearchableRecord } from '@vitrine/core';
import { aCommit, aFinding, aMission, anArticle, aRelease, aService, NOW, someNews, type Random } from '@vitrine/core/testing';

const TEXTS = [
  'GitHub',
  'githubActions',
  'HTTPServer2',
  'snake_case/path.ts',
  'Café crème',
  'naïve',
  'Ünïcode',
  '東京タワー',
  '東京',
  'ไทย',
  'deadbeef',
  'deadbeef12',
  'cafe',
  'v2',
  'x',
  'İstanbul',
  'ﬁx',
  '𝒳𝒴𝒵',
  'catalogue',
  'category',
  'cat',
] as const;

/** Words of many scripts and forms. Many of them have the same prefix. */
function someText(random: Random, words: number): string {
  return Array.from({ length: words }, () => (random.chance(0.3) ? `ca${random.int(400).toString(36)}` : random.pick(TEXTS))).join(' ');
}

/** A record of any searchable kind except repositories. There are only a few times, so that many records have the same one. */
export function aSearchableRecord(random: Random, refs: readonly [RepositoryRef, ...RepositoryRef[]], serial: number): SearchableRecord {
  const repositoryRef = random.pick(refs);
  const scope = random.chance(0.3) ? NO_REPOSITORY : repositoryRef;
  const text = (words: number) => someText(random, random.int(words));
  const id = `record-of-this-test-${String(serial)}`;
  const time = NOW - random.int(5) * 1_000;
  const makers: readonly [() => SearchableRecord, ...(() => SearchableRecord)[]] = [
    () => aRelease({ repositoryRef, tagName: id, id: `${nameOfRef(repositoryRef)}@${id}`, name: text(3), body: text(6), publishedAt: time }),
    () => aFinding({ repositoryRef, id, title: text(3), summary: text(6), detectedAt: time }),
    () => someNews({ id, title: text(3), summary: text(6), listedAt: time }),
    () => anArticle({ repositoryRef: scope, id, title: text(3), body: text(12), publishedAt: time }),
    () => aMission({ repositoryRef: scope, id, title: text(3), labels: [text(2)], createdAt: time }),
    () => aService({ key: `acme:${id}`, displayName: text(3) }),
    () =>
      aCommit({
        repositoryRef,
        sha: `${random.pick(['deadbeef', 'cafe0000', 'ca5e0000'])}${serial.toString(16).padStart(32, '0')}`,
        title: text(4),
        description: text(8),
        committedAt: time,
      }),
  ];
  return random.pick(makers)();
}

/** A query of one to three words that probably occur in records. The last word may be shortened. */
export function aSearchQuery(random: Random): string {
  const words = someText(random, 1 + random.int(3));
  return random.chance(0.5) ? words : [...words].slice(0, Math.max(2, [...words].length - random.int(4))).join('');
}
