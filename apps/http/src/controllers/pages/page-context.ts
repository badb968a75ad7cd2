import type { Deadlines, UseCases } from '@vitrine/core';
import type { Pages } from '@vitrine/pages';
import type { DocumentContext } from '../document-endpoint.js';

/** What every page needs beside its route. */
export interface PageContext extends DocumentContext {
  readonly pages: Pages;
  readonly useCases: UseCases;
  readonly deadlines: Deadlines;
  /** For documents that are no pages: without the policy and the notices of pages. */
  readonly documents: DocumentContext;
}
