/** What the command ends with. */
export const EXIT = {
  fine: 0,
  /** Some records or sources were bad; everything else was done. */
  partly: 1,
  /** The command line or the configuration cannot be used; nothing was done. */
  usage: 2,
  /** The store cannot be opened, reached or written. */
  store: 3,
  /** The right to write was lost; what was stored stays, and the same command completes it. */
  lost: 4,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
