import type { CanaryConfig, ReachedServiceConfig } from '@vitrine/config';
import { SECOND } from '@vitrine/core';
import { Canary } from './canary.js';
import type { Resolve } from '../outgoing/resolve.js';
import { dnsProbe } from './dns-probe.js';
import { httpProbe, type HttpProbeOptions } from './http-probe.js';
import type { Probe } from './probe-outcome.js';
import { tcpProbe } from './tcp-probe.js';

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
  // Any response shows that the network works.
  const probe: Probe = async (signal) => {
    await client.request({ url: target.url, method: 'HEAD', redirects: 'none', timeoutMs: CANARY_TIMEOUT_MS, allowPrivate, signal, inTurn: false });
    return { state: 'operational', rawState: 'ok', responseTimeMs: null };
  };
  return new Canary(probe);
}
