/** How many requests a client may send. */
export interface RateLimits {
  /** Requests in a minute, searches included. */
  readonly requestsPerMinute: number;
  /** Searches in a minute. */
  readonly searchesPerMinute: number;
  /** Whether clients on this machine are limited too. */
  readonly loopback: boolean;
}

/** The largest number of proxies in a row. */
export const MOST_PROXIES = 10;

/** Which proxies are trusted: their number, or their addresses and networks such as `10.0.0.0/8`. */
export type TrustProxy = number | readonly string[];
