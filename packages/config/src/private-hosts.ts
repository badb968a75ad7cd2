import { isIP } from 'node:net';
import type { Config } from './config.js';
import { isPublicAddress } from './public-address.js';

type Connecting = Pick<Config, 'patterns' | 'sources' | 'services' | 'canary'>;

interface Connection {
  readonly what: string;
  readonly target: string | { readonly host: string };
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
    ...patterns.map(({ owner, api, allowPrivate }) => ({ what: `${owner}/*`, target: api, allowPrivate })),
    ...sources.flatMap((source) => {
      if (source.kind === 'forge') return { what: source.name.fullName, target: source.api, allowPrivate: source.allowPrivate };
      return 'address' in source ? { what: source.label, target: source.address, allowPrivate: source.allowPrivate } : [];
    }),
    ...services.flatMap((service) => (service.check === 'http' || service.check === 'tcp' ? { ...service, what: service.key } : [])),
    ...(canary === null ? [] : [{ ...canary, what: 'The canary', target: 'url' in canary.target ? canary.target.url : canary.target }]),
  ];
}

/** One line for each address that is never connected to, because its host is in a private network and its entry does not allow that. Addresses can be secret, so none is named. */
export function unallowedPrivateHosts(config: Connecting): readonly string[] {
  return connections(config)
    .filter(({ target, allowPrivate }) => !allowPrivate && isPrivateHost(hostOf(target)))
    .map(({ what }) => `${what} is in a private network, so Vitrine does not connect to it. If you trust its address, add allowPrivate: true.`);
}

/** The URL also finds the address behind spellings such as `http://2130706433`. */
function hostOf(target: Connection['target']): string {
  return typeof target === 'string' ? new URL(target).hostname : target.host;
}
