import { openMemoryStore } from '@vitrine/adapters-memory';
import { Allowlist, type Instant, type StoredRecord, type StoreReaders } from '@vitrine/core';
import { NOW, StandingClock } from '@vitrine/core/testing';
import type { Site } from '@vitrine/pages';
import { renderedFiles } from '../../src/composition/site-files.js';
import { PUBLIC_URL } from './small-world.js';
import { RENDERER } from './text-renderer.js';

interface CopyOptions {
  readonly approved?: readonly string[];
  readonly publicUrl?: string;
  readonly site?: Partial<Site>;
  readonly now?: Instant;
  readonly readers?: (readers: StoreReaders) => StoreReaders;
}

/** The texts of a copy of the site with these records, by their paths. */
export async function copyOf(records: readonly StoredRecord[], options: CopyOptions = {}): Promise<ReadonlyMap<string, string>> {
  const { approved = ['acme/widget'], publicUrl = PUBLIC_URL, site = {}, now = NOW, readers = (same) => same } = options;
  const store = await openMemoryStore({ clock: new StandingClock(NOW) });
  const { signal } = new AbortController();
  await store.writer.put(records, { signal });
  const texts = new Map<string, string>();
  const permission = Allowlist.of(...approved).approved();
  const siteOptions = { store: { readers: readers(store.readers) }, approved: permission, publicUrl, site, now, signal };
  for await (const { path, content } of renderedFiles(siteOptions, RENDERER)) {
    if (texts.has(path)) throw new Error(`${path} is made twice`);
    texts.set(path, content.toString());
  }
  return texts;
}
