/** Where a page and its neighbours are. All paths are without the base path. */
export interface PageAddress {
  /** The canonical path and query. */
  readonly path: string;
  /** The same data as JSON. */
  readonly json: string | null;
}

/** The addresses of one page of a list. */
export interface ListAddress extends PageAddress {
  /** `null` on the last page. */
  readonly next: string | null;
  /** The first page with the same filters; `null` on the first page. */
  readonly first: string | null;
}
