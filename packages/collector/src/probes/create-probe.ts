import { connect, type TcpSocketConnectOpts } from 'node:net';
import type { TcpServiceConfig, DnsServiceConfig, CanaryConfig, ReachedServiceConfig } from '@vitrine/config';
import { errorCodeOf } from '@vitrine/config/internal';
import { guardedLookup, PrivateAddressError, requirePublicHost, type Resolve } from '../fetching/guarded-lookup.js';
import { OutgoingError } from '../fetching/outgoing-response.js';
import { failedBy, privateTarget, httpProbe, type HttpProbeOptions } from './http-probe.js';
import { failed, reached, type Probe, type ProbeFailure } from './probe-outcome.js';
import { Resolver } from 'node:dns/promises';
import { SECOND } from '@vitrine/core';
import { Canary } from './probe-slots.js';

type TcpTarget = Pick<TcpServiceConfig, 'key' | 'target' | 'timeoutMs' | 'slowAfterMs' | 'allowPrivate'>;

/** Opens one TCP connection and closes it. */
export function tcpProbe({ key, target, timeoutMs, slowAfterMs, allowPrivate }: TcpTarget, resolve: Resolve): Probe {
  return async (signal) => {
    const startedAt = performance.now();
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      if (!allowPrivate) requirePublicHost(target.host);
      await connected({ ...target, lookup: guardedLookup(resolve, allowPrivate) }, AbortSignal.any([signal, timeout]));
      return reached('ok', performance.now() - startedAt, slowAfterMs);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof PrivateAddressError) throw privateTarget(key);
      return failed(timeout.aborted ? 'timeout' : failureOfCode(errorCodeOf(error)));
    }
  };
}

/** What the code of an error of a socket or a resolver means. Whatever keeps a connection from being made counts as refused. */
function failureOfCode(code: string | null): ProbeFailure {
  if (code !== null && /^(?:ENOTFOUND|ENODATA|EAI_\w+|ESERVFAIL|EREFUSED|EBADNAME|EFORMERR|EBADRESP|ENOTIMP)$/.test(code)) return 'dns';
  return code === 'ETIMEDOUT' || code === 'ETIMEOUT' ? 'timeout' : 'refused';
}

function connected(options: TcpSocketConnectOpts, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ ...options, signal });
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.destroy();
      resolve();
    });
  });
}

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

export interface ProbeOptions extends HttpProbeOptions {
  /** Resolves the host names of TCP probes. */
  readonly resolve: Resolve;
}

/** The probe of a service. */
export function createProbe(service: ReachedServiceConfig, options: ProbeOptions): Probe {
  if (service.check === 'http') return httpProbe(service, options);
  return service.check === 'tcp' ? tcpProbe(service, options.resolve) : dnsProbe(service);
}

const CANARY_TIMEOUT_MS = 5 * SECOND;

export function createCanary({ target, allowPrivate }: CanaryConfig, options: ProbeOptions): Canary {
  const common = { key: 'canary', timeoutMs: CANARY_TIMEOUT_MS, slowAfterMs: null, allowPrivate };
  if (target.kind === 'tcp') return new Canary(tcpProbe({ ...common, target }, options.resolve));
  const { client } = options;
  const probe: Probe = async (signal) => {
    try {
      await client.request({ url: target.url, method: 'HEAD', redirects: 'none', timeoutMs: CANARY_TIMEOUT_MS, allowPrivate, signal, inTurn: false });
    } catch (error) {
      const failure = error instanceof OutgoingError ? failedBy(error, common.key) : failed('refused');
      // Any response shows that the network works, also one with an expired certificate.
      if (failure.rawState !== 'tls' && failure.rawState !== 'text') return failure;
    }
    return { state: 'operational', rawState: 'ok', responseTimeMs: null };
  };
  return new Canary(probe);
}
