import { assertOptions, isInstant, PERMISSION, required, SIGNAL, UnavailableError } from '@vitrine/core';
import type { ApprovedRepositories, Deadlines, Instant, RulesOf, SearchReader, StoreReaders } from '@vitrine/core';
import type { Site, TextRenderer } from '@vitrine/pages';
import { pino } from 'pino';
import { fixedApproval } from '../serving/request.js';
import { copiedFiles } from '../views/copy/copied-files.js';
import { type CopiedFile, CopyPlan } from '../views/copy/copy-plan.js';
import { createApplication } from './application.js';
import { checkedSite, LOGO_TYPES, pathOfUrl, PUBLIC_URL } from './handler-options.js';

export interface SiteFilesOptions {
  /** The store to read from. A copy has no search. */
  readonly store: { readonly readers: Omit<StoreReaders, 'search'> };
  readonly approved: ApprovedRepositories;
  /** The address at which the copy is published, without a slash at its end: `https://acme.github.example/status`. */
  readonly publicUrl: string;
  /** The texts of the pages: `{}` for the default ones. */
  readonly site: Partial<Site>;
  /** The time of the copy: states are judged as of then, and pages name it. */
  readonly now: Instant;
  readonly signal: AbortSignal;
}

const OPTIONS: RulesOf<SiteFilesOptions> = {
  store: required({
    accepts: (store) => store !== null && typeof store === 'object' && 'readers' in store,
    means: 'an open store, such as await openSqliteStore({ clock, path })',
  }),
  approved: required(PERMISSION),
  publicUrl: PUBLIC_URL,
  site: required({ accepts: (site) => typeof site === 'object', means: 'an object with texts, such as {}' }),
  now: required({ accepts: isInstant, means: 'a time in milliseconds since 1970' }),
  signal: required(SIGNAL),
};

/** One file of a copy: its path below the folder of the copy, with `/` between its parts, and its bytes. */
export type SiteFile = CopiedFile;

/** No client waits, so every part has a long time limit. A store that hangs still ends the copy. */
const FILE_BUDGET_MS = 10 * 60_000;
const NO_SEARCH: SearchReader = { search: () => Promise.reject(new UnavailableError('A copy has no search.')) };
const PATIENT: Deadlines = { run: (_milliseconds, signal, call) => call(signal) };

/**
 * A copy of the pages, feeds, badges and JSON as files for a static host, made by the same code that serves them. It has the first 200 records of each list,
 * and every repository, service, incident, release and article. The same records and the same time give the same bytes.
 *
 * @throws TypeError when an option is missing, wrong or does not exist
 * @throws UnavailableError when a part of the site cannot be read, so that no file is incomplete
 */
export function siteFiles(options: SiteFilesOptions): AsyncGenerator<SiteFile> {
  return renderedFiles(options);
}

/** The same with a given renderer of texts, for tests. @param texts is closed when all files are made; by default, a new thread renders */
export async function* renderedFiles(options: SiteFilesOptions, texts?: TextRenderer): AsyncGenerator<SiteFile> {
  assertOptions('siteFiles', options, OPTIONS);
  const { store, approved, publicUrl, now, signal } = options;
  const basePath = pathOfUrl(publicUrl);
  const site = checkedSite(options.site);
  const copy = new CopyPlan(now, publicUrl, endingOf(site));
  const application = createApplication({
    readers: { ...store.readers, search: NO_SEARCH },
    approved: fixedApproval(approved),
    ...{ basePath, publicUrl, requestBudgetMs: FILE_BUDGET_MS, cacheAnswers: false, site, copy },
    logger: pino({ level: 'silent' }),
    clock: { now: () => now },
    deadlines: PATIENT,
    texts,
  });
  try {
    yield* copiedFiles(copy, application.controllers.endpoints, signal);
    const notFound = application.controllers.pages?.error({ status: 404, detail: '', requestId: null }) ?? '';
    yield { path: '404.html', content: Buffer.from(notFound) };
  } finally {
    await application.close();
  }
}

function endingOf(site: Site | null): string {
  const [ending = ''] = Object.entries(LOGO_TYPES).find(([, type]) => type === site?.logo?.type) ?? [];
  return ending;
}
