import { KINDS, LISTED_KINDS, SOURCE_DEADLINE_MS } from '@vitrine/core';
import type { Clock, Deadlines, RecordKind, SourceStatus, UseCaseContext, UseCases } from '@vitrine/core';
import { type PlaceName, PLACES } from '@vitrine/pages';
import { capital } from './shared/kind-schema.js';

/** The kinds whose records and sources a place shows. */
function kindsOf(place: PlaceName): readonly RecordKind[] {
  if (place === 'status') return ['service', 'check', 'incident'];
  return place === 'repositories' ? ['repository'] : LISTED_KINDS.filter((kind) => KINDS[kind].plural === place);
}

const MOST_SOURCES = 100;
const NEVER = { writes: -1, at: 0 };

/**
 * The places of which the team has a record or a source. Pages do not mention the others. A place that was found stays for as long as the approved repositories do; the
 * missing ones are looked for again after each write.
 */
export class PresentPlaces {
  #found: ReadonlySet<PlaceName> = new Set(PLACES);
  #revision: string | null = null;
  #writes = 0;
  /** The last look, if it could read everything. */
  #last = NEVER;

  /** @param againMs when the missing ones are looked for again without a write: a record can also appear because its time has come */
  constructor(
    private readonly useCases: UseCases,
    private readonly deadlines: Deadlines,
    private readonly clock: Clock,
    private readonly againMs: number,
  ) {}

  /** Before the first page is rendered: all. */
  get current(): ReadonlySet<PlaceName> {
    return this.#found;
  }

  /** Something was written. */
  forget(): void {
    this.#writes += 1;
  }

  /**
   * To be awaited before a page is rendered. Never rejects. What cannot be read counts as missing until the next page. If that takes as long as a part of a page may
   * take, the page shows what is known.
   */
  async read(context: UseCaseContext): Promise<void> {
    const { writes, at } = this.#last;
    if (context.approved.revision === this.#revision && writes === this.#writes && Math.abs(this.clock.now() - at) < this.againMs) return;
    await this.deadlines.run(SOURCE_DEADLINE_MS, context.signal, (signal) => this.#look({ ...context, signal })).catch(() => undefined);
  }

  async #look(context: UseCaseContext): Promise<void> {
    const { revision } = context.approved;
    const known = this.#foundUnder(revision);
    const missing = PLACES.filter((place) => !known.has(place));
    if (missing.length === 0) return;
    const look = { writes: this.#writes, at: this.clock.now() };
    const failures: unknown[] = [];
    const failed = (error: unknown): undefined => void failures.push(error);
    const sources = (await this.#sources(context).catch(failed)) ?? [];
    const fed = new Set<string>(sources.flatMap(({ feeds }) => feeds));
    const isPresent = await Promise.all(
      missing.map(async (place) => kindsOf(place).some((kind) => fed.has(kind)) || (await this.#hasRecord(place, context).catch(failed))),
    );
    if (context.signal.aborted) return;
    // Another page may have found more meanwhile.
    this.#found = new Set([...known, ...this.#foundUnder(revision), ...missing.filter((_, index) => isPresent[index] === true)]);
    this.#revision = revision;
    this.#last = failures.length === 0 ? look : NEVER;
  }

  #foundUnder(revision: string): ReadonlySet<PlaceName> {
    return revision === this.#revision ? this.#found : new Set();
  }

  async #sources(context: UseCaseContext): Promise<readonly SourceStatus[]> {
    return (await this.useCases.listSources.execute({ limit: MOST_SOURCES, after: null }, context)).data.items;
  }

  async #hasRecord(place: PlaceName, context: UseCaseContext): Promise<boolean> {
    if (place === 'status') {
      const { services, incidents } = (await this.useCases.getStatus.execute({}, context)).data;
      return services.length > 0 || incidents.current.length > 0;
    }
    // The list of a place has its name.
    const list = Reflect.get(this.useCases, `list${capital(place)}`) as Pick<UseCases['listRepositories'], 'execute'>;
    return (await list.execute({ limit: 1 }, context)).data.items.length > 0;
  }
}
