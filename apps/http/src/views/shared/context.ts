import type { Answer, ApprovedRepositories, Clock, ComposedAnswer, Deadlines, UseCaseContext, UseCases } from '@vitrine/core';
import type { EntryLinks } from '@vitrine/feeds';
import type { Language, Pages, SiteCopy, TextRenderer } from '@vitrine/pages';
import type { Readiness } from '../../serving/lifecycle.js';
import type { PurgeHeader } from '../../serving/envelope.js';
import type { Answers, ApprovedSource } from '../../serving/request.js';
import type { PathValues } from '../../serving/router.js';
import type { Links } from './present.js';

export interface ViewContext {
  readonly useCases: UseCases;
  readonly approved: ApprovedSource;
  readonly answers: Answers;
  readonly clock: Clock;
  readonly deadlines: Deadlines;
  readonly requestBudgetMs: number;
  readonly basePath: string;
  /** The public address, with the base path and without a slash at its end. */
  readonly publicUrl: string;
  readonly links: Links;
  readonly entryLinks: EntryLinks;
  readonly purgeHeader: PurgeHeader | null;
  readonly title: string;
  /** The language of what people read: pages, feeds and the calendar. The API is in English. */
  readonly language: Language;
  readonly texts: TextRenderer;
  readonly hasPages: boolean;
  /** The copy of the site that is made; `null`: the site is served. */
  readonly copy: SiteCopy | null;
}

export interface PageContext extends ViewContext {
  readonly pages: Pages;
  /** Where pages lead to, which is read beside them. */
  readonly places: { readonly read: (context: UseCaseContext) => Promise<void> };
}

export interface PlainContext {
  readonly readiness: Readiness;
  /** The text of the OpenAPI document, which is made for the first request. */
  readonly openApi: () => string;
  readonly index: object;
  readonly basePath: string;
  readonly hasPages: boolean;
}

/** One request as a controller sees it: validated, with one permission for its whole length. */
export interface Call<Q> {
  readonly query: Q;
  readonly params: PathValues;
  readonly signal: AbortSignal;
  /** Everything is read: ends the time limit of the request, and lets others ask the store. */
  readonly haveRead: () => void;
  /** For use cases that read repository data. Throws an `UnavailableError` without a readable allowlist. @param signal default: that of the request */
  readonly context: (signal?: AbortSignal) => UseCaseContext;
  /** How many records a list has; `null`: as many as the query says. */
  readonly pageSize: number | null;
  readonly approvedOrNull: () => ApprovedRepositories | null;
}

export type Composed<Data> = Answer<Data> & Partial<Pick<ComposedAnswer<Data>, 'generatedAt'>>;
