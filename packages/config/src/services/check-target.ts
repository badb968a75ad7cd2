import { isIP } from 'node:net';
import { leaf, Refusal, isWebAddress } from '../validation/problems.js';

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
