import { errorCodeOf } from '@vitrine/config/internal';
import { OutgoingError, type OutgoingReason } from './outgoing-error.js';
import { PrivateAddressError } from './guarded-lookup.js';

const REASONS: readonly (readonly [RegExp, OutgoingReason, string])[] = [
  [/^(?:ENOTFOUND|EAI_\w+|ENODATA)$/, 'dns', 'has a host name that cannot be resolved'],
  [/^ECONNREFUSED$/, 'refused', 'refused the connection'],
  [/^ETIMEDOUT$/, 'timeout', 'did not accept the connection in time'],
  [/^(?:CERT_\w+|ERR_TLS_\w+|ERR_SSL_\w+|EPROTO|UNABLE_TO_\w+|\w*SELF_SIGNED\w*)$/, 'tls', 'cannot be reached over TLS'],
  [/^(?:Z|ERR_|ERR_BROTLI)_\w+$/, 'encoding', 'sent a body that does not match its Content-Encoding'],
];

/** The failure behind an error of `node:http`, `node:tls` or `node:zlib`. @param isRedirected whether a redirect has led to the address */
export function failureOf(error: unknown, url: URL, isRedirected: boolean): OutgoingError {
  if (error instanceof OutgoingError) return error;
  if (error instanceof PrivateAddressError) return isRedirected ? privateRedirect(url) : privateAddress(url);
  const code = errorCodeOf(error) ?? 'unknown error';
  const [, reason, detail] = REASONS.find(([pattern]) => pattern.test(code)) ?? [
    null,
    'unreachable' as const,
    'closed the connection or broke the protocol',
  ];
  return new OutgoingError(url, reason, `${detail} (${code})`);
}

function privateAddress(url: URL): OutgoingError {
  return new OutgoingError(url, 'private address', 'is in a private network. If you trust this address, add allowPrivate: true');
}

function privateRedirect(url: URL): OutgoingError {
  const remedy = 'allowPrivate allows the configured host only. If you trust the new address, configure it instead';
  return new OutgoingError(url, 'private redirect', `is in a private network, and a redirect leads there; ${remedy}`);
}
