import { follow, isApprovedChange, nameOfRef, NO_REPOSITORY } from '@vitrine/core';
import type { ChangeFeed, ChangesSince, ServiceBoard, StoreChange, UseCases } from '@vitrine/core';
import { createPages, DEFAULT_SITE, type Pages } from '@vitrine/pages';
import { Container, inject, injectable } from 'inversify';
import { openApiText } from '../openapi/document.js';
import { type Answers, type RememberedApproval, Requests } from '../serving/request.js';
import { createRouter, type Endpoint } from '../serving/router.js';
import { getIndexRoute, plainEndpoint } from '../views/plain.js';
import { PresentPlaces } from '../views/present-places.js';
import type { ViewContext } from '../views/shared/route.js';
import { errorPageOf } from '../views/site.js';
import { allFeeds, allPages, allViews, copyLinks, entryLinks, indexBody, routeLinks, routeTable } from '../views/table.js';
import { GIVEN, type Given, type Parts, Serving, Store, withDefaults } from './services.js';
import type { Topics } from '../serving/cache.js';
import type { KeptSyncReader } from '../serving/store-guard.js';

@injectable()
export class Controllers {
  readonly endpoints: readonly Endpoint[];
  /** `null`: only the API is served. */
  readonly pages: Pages | null;
  readonly places: PresentPlaces;

  constructor(@inject(GIVEN) given: Given, { useCases, useCasesOfPages }: Store, { answers, readiness }: Serving) {
    const { basePath, publicUrl, site, copy, clock, deadlines, texts } = given;
    // What a copy is made of does not change.
    this.places = new PresentPlaces(useCases, deadlines, clock, copy === null ? 1_000 : Infinity);
    const pages =
      site === null ? null : createPages(site, { basePath, publicUrl, copy, present: () => this.places.current, now: () => clock.now() }, texts);
    const context = viewContext(given, useCases, answers);
    const forPeople = { ...context, useCases: useCasesOfPages };
    const { hasPages } = context;
    const plainContext = { readiness, openApi: () => openApiText(basePath), index: indexBody(basePath), basePath, hasPages };
    const root = plainEndpoint(getIndexRoute, plainContext);
    this.pages = pages;
    this.endpoints = [
      ...allViews(context),
      ...allFeeds(forPeople),
      ...routeTable.flatMap((route) => (route.kind === 'plain' && route !== getIndexRoute ? [plainEndpoint(route, plainContext)] : [])),
      ...(pages === null ? [root] : allPages({ ...forPeople, pages, places: this.places }, root)),
    ];
  }
}

function viewContext(given: Given, useCases: UseCases, answers: Answers): ViewContext {
  const { basePath, publicUrl, site, copy } = given;
  const at = { publicUrl, hasPages: site !== null, copy };
  const links = copy === null ? routeLinks(basePath, at) : copyLinks(copy, basePath, at);
  const { title, language } = site ?? DEFAULT_SITE;
  return { ...given, ...at, title, language, links, entryLinks: entryLinks(at), useCases, answers };
}

/** All that answers requests. It follows the store until it is stopped. */
@injectable()
export class Application {
  readonly requests: Requests;
  readonly #unfollow: () => void;

  constructor(
    @inject(GIVEN) private readonly given: Given,
    store: Store,
    readonly serving: Serving,
    readonly controllers: Controllers,
  ) {
    const { basePath, changeFeed, localSearch, approved, logger, clock, readsAhead } = given;
    const { answers, lifecycle, limiter, log } = serving;
    const { endpoints, pages, places } = controllers;
    this.requests = new Requests({
      router: createRouter(endpoints),
      ...{ answers, lifecycle, limiter, log, basePath, errorPage: pages === null ? null : errorPageOf(pages) },
    });
    const onError = (err: unknown): void =>
      logger.debug({ err }, 'the changes of the store cannot be read, so kept answers are sent until they expire');
    // If that fails, the next request reads them again and reports the failure.
    const readSums = (): void => void store.board.evidence(null, clock.now(), { signal: new AbortController().signal }).catch(() => undefined);
    const followers = { answers, approved, syncs: store.syncs, places, board: store.board, ...(readsAhead && { onTooOld: readSums }) };
    this.#unfollow = changeFeed === null ? () => undefined : followChanges(changeFeed, followers, onError);
    if (localSearch !== null) localSearch.onIndexed = (changes) => void outdateShown(changes, { answers, approved });
  }

  /** Takes traffic, unless it has been stopped. */
  begin(): void {
    const { lifecycle } = this.serving;
    if (lifecycle.phase === 'starting') lifecycle.phase = 'ready';
  }

  stop(): void {
    this.serving.lifecycle.phase = 'stopping';
    this.#unfollow();
  }

  async close(): Promise<void> {
    this.stop();
    await this.given.texts.close();
  }
}

export function createApplication(parts: Parts): Application {
  const container = new Container({ defaultScope: 'Singleton' });
  container.bind(GIVEN).toConstantValue(withDefaults(parts));
  container.bind(Store).toSelf();
  container.bind(Serving).toSelf();
  container.bind(Controllers).toSelf();
  container.bind(Application).toSelf();
  return container.get(Application);
}

/** What keeps data that a write can change. */
export interface Followers {
  readonly answers: Pick<Answers, 'outdate'>;
  readonly syncs: Pick<KeptSyncReader, 'forget'>;
  readonly places: Pick<PresentPlaces, 'forget'>;
  readonly board: Pick<ServiceBoard, 'hear' | 'forget'>;
  readonly approved: RememberedApproval;
  /** Hears that everything may have changed, such as when the feed of changes begins. */
  readonly onTooOld?: () => void;
}

/** Ends every kept answer that a write may have changed. @param onError hears that the feed cannot be read; answers are then sent until they expire */
export function followChanges(changeFeed: ChangeFeed, followers: Followers, onError: (error: unknown) => void): () => void {
  return follow(
    { changeFeed },
    (news) => outdate(news, followers),
    (error) => {
      followers.syncs.forget();
      followers.board.forget();
      onError(error);
    },
  );
}

/** Ends the answers that changes may affect. @returns the changes that clients may see */
function outdateShown(changes: readonly StoreChange[], { answers, approved }: Pick<Followers, 'answers' | 'approved'>): readonly StoreChange[] {
  const seen = changes.filter(admittedBy(approved));
  if (seen.length > 0) answers.outdate((topics) => seen.some((change) => concerns(change, topics)));
  return seen;
}

export function outdate({ isTooOld, changes }: Omit<ChangesSince, 'position'>, followers: Followers): void {
  const { answers, syncs, places, board, onTooOld } = followers;
  board.hear({ isTooOld, changes });
  if (isTooOld) {
    onTooOld?.();
    syncs.forget();
    places.forget();
    answers.outdate(() => true);
    return;
  }
  const seen = outdateShown(changes, followers);
  if (seen.some(({ kind }) => kind === 'sync')) syncs.forget();
  if (seen.length > 0) places.forget();
}

/** A write to a repository that is not approved must change nothing that a client sees, not even the age of an answer. */
function admittedBy(approved: RememberedApproval): (change: StoreChange) => boolean {
  const permission = approved.currentOrLast();
  return (change) => (permission === null ? change.repositoryRef === NO_REPOSITORY : isApprovedChange(change, permission));
}

function concerns(change: StoreChange, topics: Topics): boolean {
  if (!isWithin(change, topics)) return false;
  return topics.kinds.has(change.kind) || isFedBy(change, topics);
}

function isWithin({ repositoryRef }: StoreChange, { repository }: Topics): boolean {
  return repository === null || repositoryRef === null || repositoryRef === NO_REPOSITORY || nameOfRef(repositoryRef) === repository;
}

function isFedBy({ repositoryRef, sync }: StoreChange, { kinds }: Topics): boolean {
  if (sync === null || sync.onlyAttempts) return false;
  // Each source of a repository sets its `lastSyncedAt`, which is shown beside records of every kind.
  return sync.feeds.some((kind) => kinds.has(kind)) || (repositoryRef !== NO_REPOSITORY && kinds.has('repository'));
}
