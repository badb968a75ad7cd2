/** The exit codes of the command. */
export const EXIT = {
  fine: 0,
  /** Some records or sources failed; everything else was done. */
  partly: 1,
  /** The command line or the configuration is invalid; nothing was done. */
  usage: 2,
  /** The store cannot be opened, reached or written. */
  store: 3,
  /** Another process got the lease. What was stored stays; run the same command again to complete it. */
  lost: 4,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
