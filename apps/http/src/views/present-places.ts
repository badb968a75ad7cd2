import type { ChangesSince, RecordKind, SourceStatus, UseCases } from '@vitrine/core';
import { type PlaceName, PLACES } from '@vitrine/pages';
import type { Call } from './shared/endpoint.js';

const FIRST = { limit: 1, after: null, from: null, to: null, repository: null } as const;

/** The kinds of records behind each place. */
const KINDS: Readonly<Record<PlaceName, readonly RecordKind[]>> = {
  status: ['service', 'check'],
  releases: ['release'],
  commits: ['commit'],
  repositories: ['repository'],
  news: ['news'],
  findings: ['finding'],
  missions: ['mission'],
  articles: ['article'],
  videos: ['video'],
};

const MOST_SOURCES = 100;

/**
 * The places of which the team has a record or a source. Pages do not mention the others. A place that was found stays for as long as the approved repositories do; the
 * missing ones are looked for again after a write that may bring one.
 */
export class PresentPlaces {
  readonly #useCases: UseCases;
  #found: ReadonlySet<PlaceName> = new Set(PLACES);
  #revision: string | null = null;
  readonly #isTold: boolean;
  #hasNews = false;

  /** @param isTold whether {@link hear} is called for each write. Otherwise each page looks for missing places again. */
  constructor(useCases: UseCases, isTold: boolean) {
    this.#useCases = useCases;
    this.#isTold = isTold;
  }

  hear({ isTooOld, changes }: Pick<ChangesSince, 'isTooOld' | 'changes'>): void {
    const isMissing = (kind: RecordKind): boolean => PLACES.some((place) => !this.#found.has(place) && KINDS[place].includes(kind));
    this.#hasNews ||= isTooOld || changes.some(({ kind }) => kind === 'sync' || isMissing(kind));
  }

  /** Before the first page is rendered: all. */
  get current(): ReadonlySet<PlaceName> {
    return this.#found;
  }

  /** To be awaited before a page is rendered. What cannot be read counts as missing this time. */
  async read(call: Call<unknown>): Promise<void> {
    const { revision } = call.context().approved;
    const isSame = revision === this.#revision;
    if (isSame && this.#isTold && !this.#hasNews) return;
    this.#hasNews = false;
    const known = isSame ? this.#found : new Set<PlaceName>();
    const missing = PLACES.filter((place) => !known.has(place));
    if (missing.length === 0) return;
    const sources = await this.#sources(call);
    const fed = new Set(sources.flatMap(({ feeds }) => feeds as readonly string[]));
    const isFed = (place: PlaceName): boolean => KINDS[place].some((kind) => fed.has(kind));
    const isPresent = await Promise.all(missing.map(async (place) => isFed(place) || this.#hasRecord(place, call)));
    this.#found = new Set([...known, ...missing.filter((_, index) => isPresent[index])]);
    this.#revision = revision;
  }

  async #sources(call: Call<unknown>): Promise<readonly SourceStatus[]> {
    return this.#useCases.listSources.execute({ limit: MOST_SOURCES, after: null }, call.context()).then(
      ({ data }) => data.items,
      () => [],
    );
  }

  async #hasRecord(place: PlaceName, call: Call<unknown>): Promise<boolean> {
    const context = call.context();
    const { listCommits, listReleases, listFindings, listMissions, listRepositories, listNews, listArticles, listVideos, getStatus } = this.#useCases;
    const read = {
      status: async () => (await getStatus.execute({}, context)).data.services,
      releases: async () => (await listReleases.execute({ ...FIRST }, context)).data.items,
      commits: async () => (await listCommits.execute({ ...FIRST }, context)).data.items,
      repositories: async () => (await listRepositories.execute({ ...FIRST }, context)).data.items,
      news: async () => (await listNews.execute({ ...FIRST }, context)).data.items,
      findings: async () => (await listFindings.execute({ ...FIRST }, context)).data.items,
      missions: async () => (await listMissions.execute({ ...FIRST }, context)).data.items,
      articles: async () => (await listArticles.execute({ ...FIRST }, context)).data.items,
      videos: async () => (await listVideos.execute({ ...FIRST }, context)).data.items,
    }[place];
    return read().then(
      ({ length }) => length > 0,
      () => false,
    );
  }
}
