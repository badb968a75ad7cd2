import type { Instant, Provenance, ScopeRef } from '@vitrine/core';

/** What the configuration says about a source of articles or a changelog. */
export interface ArticleOrigin {
  readonly label: string;
  /** The repository that the articles belong to, or `-`. */
  readonly repositoryRef: ScopeRef;
  /** The public address: of the folder, or of the changelog. `null`: each article has its address in Vitrine. */
  readonly publicUrl: string | null;
  readonly language: string;
  /** The address of an article in Vitrine. */
  readonly defaultUrl: (id: string) => string;
}

/** Articles of the configuration's own files are the team's own words. */
export function articleProvenance({ label }: ArticleOrigin, sourceUrl: string, observedAt: Instant, publishedAt: Instant): Provenance {
  return { source: label, sourceKind: 'official-source', sourceUrl, observedAt, publishedAt, confidence: 'high', isOfficialSource: true };
}
