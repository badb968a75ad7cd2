import { Resolver } from 'node:dns/promises';
import type { DnsServiceConfig } from '@vitrine/config';
import { errorCodeOf } from '@vitrine/config/internal';
import { failed, reached, type Probe } from './probe-outcome.js';
import { failureOfCode } from './tcp-probe.js';

type DnsTarget = Pick<DnsServiceConfig, 'target' | 'timeoutMs' | 'slowAfterMs'>;

/** Asks the name servers of the system for the addresses of a name. @param servers other name servers, such as `127.0.0.1:5353` */
export function dnsProbe({ target, timeoutMs, slowAfterMs }: DnsTarget, servers?: readonly string[]): Probe {
  return async (signal) => {
    const resolver = new Resolver({ timeout: timeoutMs, tries: 1 });
    if (servers !== undefined) resolver.setServers(servers);
    const timeout = AbortSignal.timeout(timeoutMs);
    const ended = AbortSignal.any([signal, timeout]);
    const cancel = (): void => {
      resolver.cancel();
    };
    ended.addEventListener('abort', cancel, { once: true });
    const startedAt = performance.now();
    try {
      signal.throwIfAborted();
      await Promise.any([resolver.resolve4(target), resolver.resolve6(target)]);
      return reached('ok', performance.now() - startedAt, slowAfterMs);
    } catch (error) {
      signal.throwIfAborted();
      return failed(timeout.aborted ? 'timeout' : failureOfCode(codeOf(error)));
    } finally {
      ended.removeEventListener('abort', cancel);
    }
  };
}

/** A name may have IPv4 addresses only, so the result of the other request counts unless it has none either. */
function codeOf(error: unknown): string | null {
  const errors: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
  const codes = errors.map(errorCodeOf);
  return codes.find((code) => code !== 'ENODATA') ?? codes[0] ?? null;
}
