import { once } from 'node:events';
import { connect } from 'node:net';
import type { TcpServiceConfig, DnsServiceConfig, CanaryConfig, ReachedServiceConfig } from '@vitrine/config';
import { errorCodeOf } from '@vitrine/config/internal';
import { guardedConnect, PrivateAddressError, requirePublicHost, type Resolve } from '../fetching/guarded-lookup.js';
import { SourceError } from '../running/source.js';
import { httpProbe, judged, privateTarget, type HttpProbeOptions } from './http-probe.js';
import { failed, reached, type Probe, type ProbeFailure, type Canary, sharedCanary } from './probe.js';
import { Resolver } from 'node:dns/promises';
import { SECOND } from '@vitrine/core';

type Timed = Pick<ReachedServiceConfig, 'timeoutMs' | 'slowAfterMs'>;

function timed({ timeoutMs, slowAfterMs }: Timed, attempt: (ended: AbortSignal) => Promise<unknown>): Probe {
  return async (signal) => {
    signal.throwIfAborted();
    const startedAt = performance.now();
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      await attempt(AbortSignal.any([signal, timeout]));
      return reached('ok', performance.now() - startedAt, slowAfterMs);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof SourceError) throw error;
      return failed(timeout.aborted ? 'timeout' : failureOf(error));
    }
  };
}

type TcpTarget = Timed & Pick<TcpServiceConfig, 'key' | 'target' | 'allowPrivate'>;

export function tcpProbe({ key, target, allowPrivate, ...times }: TcpTarget, resolve: Resolve): Probe {
  return timed(times, async (signal) => {
    try {
      if (!allowPrivate) requirePublicHost(target.host);
      const socket = connect({ ...target, ...guardedConnect(resolve, { allowPrivate, timeoutMs: times.timeoutMs }), signal });
      await once(socket, 'connect');
      socket.destroy();
    } catch (error) {
      throw error instanceof PrivateAddressError ? privateTarget(key) : error;
    }
  });
}

/** Asks the name servers of the system for the addresses of a name, each when the one before does not answer. @param servers other name servers, such as `127.0.0.1:5353` */
export function dnsProbe({ target, ...times }: Timed & Pick<DnsServiceConfig, 'target'>, servers?: readonly string[]): Probe {
  return timed(times, async (signal) => {
    // Each has a part of the time. It may take twice its part, because Node looks at the time of requests only that often.
    const { length } = servers ?? new Resolver().getServers();
    const parts = length > 1 ? 2 * length : 1;
    const resolver = new Resolver({ timeout: Math.ceil(times.timeoutMs / parts), tries: 1 });
    if (servers !== undefined) resolver.setServers(servers);
    signal.addEventListener('abort', () => resolver.cancel());
    const answers = [resolver.resolve4(target), resolver.resolve6(target)].map(async (resolving) => {
      // An alias that leads to no address is an answer without addresses, not an error.
      if ((await resolving).length === 0) throw Object.assign(new Error('no address'), { code: 'ENODATA' });
    });
    await Promise.any(answers);
  });
}

/** What an error of a socket or a resolver means. Whatever keeps a connection from being made counts as refused. */
function failureOf(error: unknown): ProbeFailure {
  const codes = (error instanceof AggregateError ? (error.errors as readonly unknown[]) : [error]).map(errorCodeOf);
  // A name may have IPv4 addresses only, so the result of the other request counts unless it has none either.
  const code = codes.find((one) => one !== 'ENODATA') ?? codes[0] ?? '';
  if (/^(?:ENOTFOUND|ENODATA|EAI_\w+|ESERVFAIL|EREFUSED|EBADNAME|EFORMERR|EBADRESP|ENOTIMP)$/.test(code)) return 'dns';
  return /^ETIMED?OUT$/.test(code) ? 'timeout' : 'refused';
}

export interface ProbeOptions extends HttpProbeOptions {
  readonly resolve: Resolve;
}

export function createProbe(service: ReachedServiceConfig, options: ProbeOptions): Probe {
  if (service.check === 'http') return httpProbe(service, options);
  return service.check === 'tcp' ? tcpProbe(service, options.resolve) : dnsProbe(service);
}

const CANARY_TIMEOUT_MS = 5 * SECOND;

export function createCanary({ target, allowPrivate }: CanaryConfig, options: ProbeOptions): Canary {
  const common = { key: 'canary', timeoutMs: CANARY_TIMEOUT_MS, slowAfterMs: null, allowPrivate };
  if (target.kind === 'tcp') return sharedCanary(tcpProbe({ ...common, target }, options.resolve));
  const request = { url: target.url, method: 'HEAD', redirects: 'none', timeoutMs: CANARY_TIMEOUT_MS, allowPrivate, inTurn: false } as const;
  return sharedCanary(async (signal) => {
    const outcome = await judged('canary', options.client.request({ ...request, signal }), (_response, elapsedMs) => reached('ok', elapsedMs, null));
    // Any response shows that the network works, also one with an expired certificate.
    return outcome.rawState === 'tls' || outcome.rawState === 'text' ? reached('ok', 0, null) : outcome;
  });
}
