/** The limits of `limits: {}`, in the configuration file and of a handler that is embedded. Within one minute; see `LimitsConfig`. */
export const DEFAULT_LIMITS = { requestsPerMinute: 300, searchesPerMinute: 60, loopback: false } as const;

/** The largest value of each limit. It only keeps the response headers short. */
export const MOST_PER_MINUTE = 1_000_000_000;
