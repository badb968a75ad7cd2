/** One turn of a holder. Each turn has a greater term than the turns before. */
export interface Turn {
  /** The name of the lease. */
  readonly name: string;
  readonly holder: string;
  readonly term: number;
}
