import { NotFoundError } from '@vitrine/core';
import type { Endpoint } from '../../serving/router.js';
import { articles } from '../articles.js';
import { incidents } from '../incidents.js';
import { releases } from '../releases.js';
import { listRepositoriesRoute } from '../repositories.js';
import { searchPage, searchRoute } from '../search.js';
import { getApiIndexRoute } from '../table.js';
import type { CopiedFile, CopyPlan, PlannedFile } from './copy-plan.js';

/**
 * JSON and feeds hold absolute addresses, too, such as the origin of an incident that was declared here. Those of the site itself are replaced by those of the
 * copy. If the copy has no such file, as for the health check of a server, the origin is the copy as a whole. Pages do that when they are rendered.
 */
function withOwnAddresses(file: CopiedFile, copy: CopyPlan): CopiedFile {
  const { path, content } = file;
  const own = `${copy.publicUrl}/`;
  if (!content.includes(`"${own}`)) return file;
  const known = (address: string): string | null => {
    const found = address.startsWith(own) && !copy.holds(address) ? copy.addressOf(address.slice(own.length - 1)) : address;
    return found === null || found === address ? found : copy.publicUrl + found;
  };
  if (path.endsWith('.atom')) return { path, content: Buffer.from(content.toString().replace(/(?<= href=")[^"]*/g, (href) => known(href) ?? own)) };
  if (!path.endsWith('.json')) return file;
  const data: unknown = JSON.parse(content.toString(), (name, value: unknown) => {
    // Ids stay: they lead nowhere, and programs know records by them.
    if (typeof value !== 'string' || name === 'id') return value;
    return known(value) ?? (ORIGINS.has(name) ? own : value);
  });
  return { path, content: Buffer.from(JSON.stringify(data)) };
}

const ORIGINS: ReadonlySet<string> = new Set(['sourceUrl', 'url', 'external_url']);

/** The images that articles show. */
const IMAGES = /\/images\/([0-9a-f]{32}\.(?:png|jpg|gif|webp))/g;

const LENGTH = 200;

/** Searches need a server, and the index names addresses of a server. */
const LEFT_OUT: ReadonlySet<string> = new Set([searchRoute.path, searchPage.path, getApiIndexRoute.path]);

/** Lists whose records are all copied, even if the list in the copy is shorter. All services are in the status. */
const WHOLE_LISTS: ReadonlySet<string> = new Set([listRepositoriesRoute, releases.list, articles.list, incidents.list].map(({ path }) => path));

/** Files that are made side by side: the next one is read while one is rendered. */
const AT_ONCE = 8;

/** Makes every file of a copy, link targets first. Rejects as the endpoints do. */
export async function* copiedFiles(plan: CopyPlan, endpoints: readonly Endpoint[], signal: AbortSignal): AsyncGenerator<CopiedFile> {
  const maker = new FileMaker(plan, endpoints, signal);
  for (const endpoint of endpoints) if (isFixed(endpoint)) plan.includeFixed(endpoint);
  const json: CopiedFile[] = [];
  for (let planned = plan.takeJson(); planned.length > 0; planned = plan.takeJson()) for await (const file of maker.files(planned)) json.push(file);
  // Only now all addresses are known.
  for (const file of json) yield withOwnAddresses(file, plan);
  for await (const file of maker.files(plan.takeDocuments())) yield withOwnAddresses(file, plan);
}

function isFixed({ path, document }: Endpoint): boolean {
  return document !== undefined && !path.includes('{') && !LEFT_OUT.has(path);
}

class FileMaker {
  readonly #endpoints: ReadonlyMap<string, Endpoint>;

  constructor(
    private readonly plan: CopyPlan,
    endpoints: readonly Endpoint[],
    private readonly signal: AbortSignal,
  ) {
    this.#endpoints = new Map(endpoints.map((endpoint) => [endpoint.path, endpoint]));
  }

  async *files(planned: readonly PlannedFile[]): AsyncGenerator<CopiedFile> {
    for (let start = 0; start < planned.length; start += AT_ONCE) {
      const made = await Promise.all(planned.slice(start, start + AT_ONCE).map((one) => this.#made(one)));
      for (const file of made) if (file !== null) yield file;
    }
  }

  /** `null` for a record that has disappeared since it was included. */
  async #made(planned: PlannedFile): Promise<CopiedFile | null> {
    try {
      const content = await this.#contentOf(planned, '');
      for (const [, name = ''] of content.toString('latin1').matchAll(IMAGES)) this.plan.includeImage(name);
      if (WHOLE_LISTS.has(planned.path)) await this.#includeRest(planned, content);
      return { path: planned.file, content };
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      this.plan.forget(planned);
      return null;
    }
  }

  /** Includes the records that are not on the first page of a list. */
  async #includeRest(planned: PlannedFile, first: Buffer): Promise<void> {
    for (let next = cursorOf(first); next !== null; next = cursorOf(await this.#contentOf(planned, `cursor=${next}`))) this.signal.throwIfAborted();
  }

  async #contentOf({ path, params }: PlannedFile, query: string): Promise<Buffer> {
    this.signal.throwIfAborted();
    const endpoint = this.#endpoints.get(path);
    if (endpoint?.document === undefined) throw new TypeError(`No endpoint makes the document ${path}.`);
    return Buffer.from(await endpoint.document({ params, query, pageSize: LENGTH, signal: this.signal }));
  }
}

/** Where the next page of a list of the API begins; `null` on the last page. */
function cursorOf(body: Buffer): string | null {
  const { meta } = JSON.parse(body.toString()) as { readonly meta: { readonly nextCursor: string | null } };
  return meta.nextCursor;
}
