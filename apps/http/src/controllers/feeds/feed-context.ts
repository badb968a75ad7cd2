import type { Deadlines, UseCases } from '@vitrine/core';
import type { SiteCopy } from '@vitrine/pages';
import type { DocumentContext } from '../document-endpoint.js';

/** What every feed, badge and calendar needs beside its route. */
export interface FeedContext {
  readonly documents: DocumentContext;
  readonly useCases: UseCases;
  readonly deadlines: Deadlines;
  /** Public address of this Vitrine, without a slash at its end. */
  readonly publicUrl: () => string;
  /** The name of the site, in titles. */
  readonly title: string;
  /** Whether records have pages to which entries can lead. */
  readonly hasPages: boolean;
  /** The copy of the site that is made; `null`: the site is served. */
  readonly copy: SiteCopy | null;
}
