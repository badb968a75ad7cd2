import { isIP } from 'node:net';
import { leaf, Refusal, isWebAddress } from '../validation/problems.js';

/** What every service has. */
interface AnyService {
  readonly key: string;
  readonly name: string;
  readonly intervalMs: number;
  /** The group in which pages show it; `null`: it is in none. */
  readonly group: string | null;
  /** Its place on the pages, smaller numbers first; `null`: its place in the file. */
  readonly order: number | null;
}

/** The page of a service that is published; `null`: derived from the checked address, or the page of the service in Vitrine; `false`: always the latter. */
type PublishedUrl = string | false | null;

/** What a service has that is reached over a network. */
interface ReachedService extends AnyService {
  readonly url: PublishedUrl;
  readonly timeoutMs: number;
  /** A response that takes longer counts as degraded; `null`: none does. */
  readonly slowAfterMs: number | null;
  /** How many more attempts must fail before an outage is stored. */
  readonly confirmAfter: number;
  /** Whether the address may lead into a private network. Such an address is never published. */
  readonly allowPrivate: boolean;
  /** Whether somebody else runs it. Then it does not count in the overall state. */
  readonly dependency: boolean;
}

/** The health of this server, checked over HTTP. */
export interface SelfServiceConfig extends AnyService {
  readonly check: 'self';
}

/** A service that reports itself: something requests an address with its token in each interval. */
export interface HeartbeatServiceConfig extends AnyService {
  readonly check: 'heartbeat';
  /** How much later than the interval a heartbeat may come. */
  readonly graceMs: number;
  /** The name of the environment variable that contains the token. */
  readonly tokenVariable: string;
  readonly url: PublishedUrl;
}

/** A header of a request: its value, or the name of the environment variable that contains it. */
export interface HeaderConfig {
  readonly name: string;
  readonly value: string | { readonly variable: string };
}

/** What an HTTP response must have to count as operational. */
export interface ExpectConfig {
  /** The accepted statuses; `null`: 200 to 299. */
  readonly status: readonly number[] | null;
  /** A text that the body must contain. */
  readonly text: string | null;
  /** A value in the JSON body, by its path such as `status` or `checks.0.state`. */
  readonly json: { readonly path: string; readonly equals: string | number | boolean | null } | null;
}

export interface HttpServiceConfig extends ReachedService {
  readonly check: 'http';
  /** It may contain credentials in its query, so it is never published as it is. */
  readonly target: string;
  readonly method: 'GET' | 'HEAD' | 'POST';
  readonly headers: readonly HeaderConfig[];
  readonly expect: ExpectConfig;
  /** How many redirects are followed. With 0, the redirect is the response. */
  readonly redirects: number;
  /** A certificate that expires sooner counts as degraded. */
  readonly certificateMs: number;
}

export interface TcpServiceConfig extends ReachedService {
  readonly check: 'tcp';
  readonly target: { readonly host: string; readonly port: number };
}

export interface DnsServiceConfig extends ReachedService {
  readonly check: 'dns';
  /** The name that must resolve. */
  readonly target: string;
}

export type ReachedServiceConfig = HttpServiceConfig | TcpServiceConfig | DnsServiceConfig;
export type ServiceConfig = SelfServiceConfig | HeartbeatServiceConfig | ReachedServiceConfig;

/** Where the process that collects receives heartbeats. */
export interface HeartbeatsConfig {
  readonly host: string;
  readonly port: number;
}

/** An address that is checked when a service fails: if it fails too, the network of this server is the cause. */
export interface CanaryConfig {
  readonly target: { readonly kind: 'http'; readonly url: string } | { readonly kind: 'tcp'; readonly host: string; readonly port: number };
  readonly allowPrivate: boolean;
}

/** What the key `check` says. */
export type CheckTarget =
  | { readonly check: 'self' }
  | { readonly check: 'heartbeat' }
  | { readonly check: 'http'; readonly target: string }
  | { readonly check: 'tcp'; readonly target: { readonly host: string; readonly port: number } }
  | { readonly check: 'dns'; readonly target: string };

const HOST_NAME = /^(?=.{1,253}$)[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,62})(?:\.[A-Za-z0-9_][A-Za-z0-9_-]{0,62})*\.?$/;
const TCP = /^tcp:\/\/(\[[0-9A-Fa-f:.]+\]|[^:/?#\s@[\]]+):(\d{1,5})\/?$/i;
const DNS = /^dns:/i;
const WEB = /^https?:/i;

/** What is to be checked. Returns a reason if the text cannot be read. */
export function readCheckTarget(text: unknown): CheckTarget | Refusal {
  if (text === 'self' || text === 'heartbeat') return { check: text };
  if (typeof text !== 'string') return new Refusal('is not known');
  if (WEB.test(text)) return isWebAddress(text) ? { check: 'http', target: text } : new Refusal('is not a web address without user name');
  if (DNS.test(text)) return dnsTarget(text.slice('dns:'.length));
  return /^tcp:/i.test(text) ? tcpTarget(text) : new Refusal('is not known');
}

export const checkTarget = leaf('self, heartbeat, an http or https address, tcp://host:port or dns:name', readCheckTarget);

function dnsTarget(name: string): CheckTarget | Refusal {
  return HOST_NAME.test(name) && isIP(name) === 0 ? { check: 'dns', target: name } : new Refusal('has no host name');
}

function tcpTarget(text: string): CheckTarget | Refusal {
  const [, written = '', digits = ''] = TCP.exec(text) ?? [];
  const host = hostOf(written);
  if (host === null) return new Refusal('has no host or no port');
  const port = Number(digits);
  return port > 0 && port <= 65_535 ? { check: 'tcp', target: { host, port } } : new Refusal('has no port from 1 to 65535');
}

/** A host name, an IPv4 address, or an IPv6 address in brackets. */
function hostOf(text: string): string | null {
  if (!text.startsWith('[')) return HOST_NAME.test(text) ? text : null;
  const address = text.slice(1, -1);
  return isIP(address) === 6 ? address : null;
}
