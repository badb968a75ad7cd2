import { createPages, type Pages } from '@vitrine/pages';
import { Container, inject, injectable } from 'inversify';
import { openApiText } from '../openapi/document.js';
import { Requests } from '../serving/request.js';
import { createRouter, type Endpoint } from '../serving/router.js';
import { allFeeds, allPages } from '../views/documents.js';
import { plainViews } from '../views/plain.js';
import { PresentPlaces } from '../views/present-places.js';
import type { Links } from '../views/shared/present.js';
import { errorPages } from '../views/site.js';
import { allViews, copyLinks, entryLinks, indexBody, routeLinks } from '../views/table.js';
import { followChanges, outdateFound } from './followers.js';
import { GIVEN, Serving, Store, withDefaults, type Given, type Parts, type Settings } from './services.js';

/** The endpoints of the API and the feeds and, if a site is configured, of the pages. */
@injectable()
export class Controllers {
  readonly endpoints: readonly Endpoint[];
  /** `null`: only the API is served. */
  readonly pages: Pages | null;

  constructor(@inject(GIVEN) { settings, approved, deadlines, texts }: Given, { useCases }: Store, { answers, readiness }: Serving) {
    const { basePath, publicUrl, requestBudgetMs: budgetMs, purgeHeader = null } = settings;
    const { site, copy, hasPages } = addressesOf(settings);
    const places = new PresentPlaces(useCases, copy !== null);
    const pages = site === null ? null : createPages(site, { basePath, publicUrl, copy, present: () => places.current }, texts);
    const documents = { approved, answers, budgetMs, basePath, purgeHeader };
    const index = indexBody(basePath);
    const title = site?.title ?? 'Vitrine';
    const [root, ...plain] = plainViews({ readiness, openApi: () => openApiText(basePath), index, basePath, hasPages });
    this.pages = pages;
    this.endpoints = [
      ...allViews(useCases, { ...documents, links: linksOf(settings), publicUrl }),
      ...allFeeds({ publicUrl, copy, hasPages, documents, useCases, deadlines, texts, title, entryLinks: entryLinks(addressesOf(settings)) }),
      ...plain,
      ...(pages === null ? [root] : allPages({ ...documents, documents, useCases, deadlines, pages, places }, root)),
    ];
  }
}

function addressesOf({ publicUrl, site = null, copy = null }: Settings) {
  return { publicUrl, site, hasPages: site !== null, copy };
}

/** The addresses of a server, or of a copy of its site. */
function linksOf(settings: Settings): Links {
  const { basePath, copy = null } = settings;
  return copy === null ? routeLinks(basePath, addressesOf(settings)) : copyLinks(copy, basePath, addressesOf(settings));
}

/** All that answers requests. It follows the store until it is stopped. */
@injectable()
export class Application {
  /** Hand requests over to it. */
  readonly requests: Requests;
  /** Stops following the store. */
  readonly #unfollow: () => void;

  constructor(
    @inject(GIVEN) private readonly given: Given,
    private readonly store: Store,
    readonly serving: Serving,
    readonly controllers: Controllers,
  ) {
    const { settings, changeFeed, localSearch, approved, logger } = given;
    const { answers, lifecycle, limiter, log } = serving;
    const { endpoints, pages } = controllers;
    this.requests = new Requests({
      app: createRouter(endpoints),
      ...{ answers, lifecycle, limiter, log, basePath: settings.basePath, errorPages: pages === null ? null : errorPages(pages) },
    });
    const onError = (err: unknown): void => {
      logger.debug({ err }, 'the changes of the store cannot be read, so kept answers are sent until they expire');
    };
    const followers = { answers, approved, syncs: store.syncs, board: store.board };
    this.#unfollow = changeFeed === null ? () => undefined : followChanges(changeFeed, followers, onError);
    if (localSearch !== null)
      localSearch.onIndexed = (changes) => {
        outdateFound(changes, { answers, approved });
      };
  }

  /** Takes traffic, unless it has been stopped. */
  begin(): void {
    const { lifecycle } = this.serving;
    if (lifecycle.phase === 'starting') lifecycle.phase = 'ready';
  }

  /** Reads the sums of a status before the first request. If that fails, the first request reads them again and reports the failure. */
  readAhead(): void {
    const { changeFeed, clock } = this.given;
    const { signal } = new AbortController();
    if (changeFeed !== null) this.store.board.evidence(null, clock.now(), { signal }).catch(() => undefined);
  }

  /** Ends each connection with its next response, and holds nothing of the store any more. */
  stop(): void {
    this.serving.lifecycle.phase = 'stopping';
    this.#unfollow();
  }

  /** Stops, and ends the thread that renders texts. */
  async close(): Promise<void> {
    this.stop();
    await this.given.texts.close();
  }
}

/** Makes the application, and all services once. */
export function createApplication(parts: Parts): Application {
  const container = new Container({ defaultScope: 'Singleton' });
  container.bind(GIVEN).toConstantValue(withDefaults(parts));
  container.bind(Store).toSelf();
  container.bind(Serving).toSelf();
  container.bind(Controllers).toSelf();
  container.bind(Application).toSelf();
  return container.get(Application);
}
