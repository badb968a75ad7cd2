import { readFile, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import type { SiteConfig } from '@vitrine/config';
import type { Logo, Site } from '@vitrine/pages';
import { unusable } from './start-error.js';

const TYPES: Readonly<Record<string, string>> = {
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
};

/** A logo is on every page, so it has to be small. */
const MAX_BYTES = 256 * 1_024;

/** The site of a configuration, with its logo. Throws a `StartError` if the logo cannot be read or is too large. */
export async function siteOf(config: SiteConfig | null): Promise<Site | null> {
  return config === null ? null : { ...config, logo: config.logo === null ? null : await logoOf(config.logo) };
}

async function logoOf(path: string): Promise<Logo> {
  const type = TYPES[extname(path).toLowerCase()] ?? '';
  try {
    const { size } = await stat(path);
    if (size <= MAX_BYTES) return { type, bytes: await readFile(path) };
  } catch {
    throw unusable(`site.logo: ${path} cannot be read. Write the path of an image, or remove the key.`);
  }
  throw unusable(`site.logo: ${path} is larger than ${String(MAX_BYTES / 1_024)} KiB. Use a smaller image.`);
}
