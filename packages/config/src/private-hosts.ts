import { isIP } from 'node:net';
import type { Config } from './config.js';
import type { CanaryConfig } from './services/service-schema.js';
import { isPublicAddress } from './public-address.js';

type Connecting = Pick<Config, 'patterns' | 'sources' | 'services' | 'canary'>;

interface Connection {
  readonly what: string;
  readonly host: string;
  readonly allowPrivate: boolean;
}

/** The host of an address with a scheme; `''` without one. */
export function hostIn(address: string): string {
  return /^\w+:\/\/(\[[^\]]*\]|[^/:?#]*)/.exec(address)?.[1] ?? '';
}

const PRIVATE_NAME = /^[^.]+$|(?:^|\.)(?:localhost|local|internal|lan|home|intranet|corp|svc|test)$/i;

/** Whether a host is certainly in a private network, from its name or address alone. Other names may resolve to private addresses too. */
export function isPrivateHost(host: string): boolean {
  const address = host.replace(/^\[|\]$/g, '');
  return isIP(address) === 0 ? PRIVATE_NAME.test(host.replace(/\.$/, '')) : !isPublicAddress(address);
}

/** What a configuration connects to, and whether its entry allows a private network. */
function connections({ patterns, sources, services, canary }: Connecting): readonly Connection[] {
  return [
    ...patterns.map(({ owner, api, allowPrivate }) => ({ what: `${owner}/*`, host: hostOf(api), allowPrivate })),
    ...sources.flatMap((source) => {
      if (source.kind === 'forge') return { what: source.name.fullName, host: hostOf(source.api), allowPrivate: source.allowPrivate };
      return 'address' in source ? { what: source.label, host: hostOf(source.address), allowPrivate: source.allowPrivate } : [];
    }),
    ...services.flatMap((service) => {
      if (service.check === 'http') return { what: service.key, host: hostOf(service.target), allowPrivate: service.allowPrivate };
      return service.check === 'tcp' ? { what: service.key, host: service.target.host, allowPrivate: service.allowPrivate } : [];
    }),
    ...(canary === null ? [] : [{ what: 'The canary', host: canaryHost(canary), allowPrivate: canary.allowPrivate }]),
  ];
}

/** One line for each address that is never connected to, because its host is in a private network and its entry does not allow that. Addresses can be secret, so none is named. */
export function unallowedPrivateHosts(config: Connecting): readonly string[] {
  return connections(config)
    .filter(({ host, allowPrivate }) => !allowPrivate && isPrivateHost(host))
    .map(({ what }) => `${what} is in a private network, so Vitrine does not connect to it. If you trust its address, add allowPrivate: true.`);
}

/** The URL also finds the address behind spellings such as `http://2130706433`. */
function hostOf(address: string): string {
  return new URL(address).hostname;
}

function canaryHost({ target }: CanaryConfig): string {
  return target.kind === 'tcp' ? target.host : hostOf(target.url);
}
