import type { Clock } from '@vitrine/core';
import type { Logger } from 'pino';
import { UNLIMITED, type RequestLimiter } from '../serving/exchange.js';
import { RateLimiter } from '../serving/rate-limiter.js';
import type { Settings } from './settings.js';

/** The limiter of the settings. @param clock must not jump @throws RangeError if `trustProxy` is not valid */
export function requestLimiter({ limits = null, trustProxy = null }: Settings, clock: Clock, logger: Logger): RequestLimiter {
  if (limits === null) return UNLIMITED;
  const onUntrustedProxy = (): void => {
    logger.warn(
      'requests come through a proxy that is not trusted, so the clients behind it are not limited one by one; set trustProxy (server.trustProxy in vitrine.yaml) to the number or the addresses of your proxies',
    );
  };
  return new RateLimiter({ limits, trustProxy, clock, onUntrustedProxy });
}
