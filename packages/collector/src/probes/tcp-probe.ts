import { connect, type TcpSocketConnectOpts } from 'node:net';
import type { TcpServiceConfig } from '@vitrine/config';
import { errorCodeOf } from '@vitrine/config/internal';
import { guardedLookup, PrivateAddressError, requirePublicHost } from '../outgoing/guarded-lookup.js';
import type { Resolve } from '../outgoing/resolve.js';
import { privateTarget } from './http-probe.js';
import { failed, reached, type Probe, type ProbeFailure } from './probe-outcome.js';

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
export function failureOfCode(code: string | null): ProbeFailure {
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
