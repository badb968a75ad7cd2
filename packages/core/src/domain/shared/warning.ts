export interface Warning {
  /** `SOURCE_UNAVAILABLE`: a part could not be read. `SOURCE_INCOMPLETE` and `SOURCE_LATE`: how current the stored records are. `SEARCH_INCOMPLETE`: not all records can be found yet. */
  readonly code: string;
  /** A kind of record, never a repository. */
  readonly source: string;
  readonly detail: string;
}
