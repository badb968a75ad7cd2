import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OutgoingClient, OutgoingResponse } from '@vitrine/collector';

/** The endings of the images that pages can show, by media type. */
const ENDINGS: Readonly<Record<string, string>> = { 'image/svg+xml': '.svg', 'image/png': '.png', 'image/webp': '.webp', 'image/jpeg': '.jpg' };
/** A logo is on every page, so it has to be small. */
const MAX_BYTES = 256 * 1_024;

export interface SavedLogoOptions {
  /** The folder of the configuration file. */
  readonly folder: string;
  readonly client: Pick<OutgoingClient, 'request'>;
  readonly signal: AbortSignal;
}

/**
 * Fetches the logo of another monitor and writes it into a new file. Resolves with the name of the file; `null` if the address is no web address, if it does not
 * answer with a small image, or if the file exists.
 */
export async function savedLogo(address: string, { folder, client, signal }: SavedLogoOptions): Promise<string | null> {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return null;
  try {
    const response = await client.request({ url: address, allowPrivate: false, maxBytes: MAX_BYTES, signal });
    const ending = endingOf(response);
    if (ending === null) return null;
    await writeFile(join(folder, `logo${ending}`), response.body, { flag: 'wx' });
    return `logo${ending}`;
  } catch {
    signal.throwIfAborted();
    return null;
  }
}

/** `null` if the response is not an image that pages can show. */
function endingOf({ status, headers, body }: OutgoingResponse): string | null {
  const [type = ''] = (headers['content-type'] ?? '').toLowerCase().split(';', 1);
  return status === 200 && body.length > 0 ? (ENDINGS[type.trim()] ?? null) : null;
}
