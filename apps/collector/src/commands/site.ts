import { approvedOf, readStoredApprovals } from '@vitrine/collector';
import { readConfig, type SiteConfig } from '@vitrine/config';
import { UnavailableError, type Instant } from '@vitrine/core';
import type { CommandContext } from '../command-context.js';
import { counted } from '../counted.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { SiteFolder } from '../site/site-folder.js';
import { requireFolder, UsageError } from '../usage-error.js';
import { servedStore } from '../with-store.js';

export interface SiteOptions {
  /** The address at which the site is published, without a slash at its end. */
  readonly url: string;
  /** The time of the site; `null`: now. */
  readonly now: Instant | null;
}

/** Writes the pages, feeds, badges and JSON as files into a folder, also while a server runs. */
export async function site(folder: string, { url, now }: SiteOptions, context: CommandContext): Promise<ExitCode> {
  const { env, clock, print, progress, signal } = context;
  const config = await readConfig(env);
  requireFolder(config);
  if (config.site === null) throw new UsageError(`${config.file}: site: is false, so there are no pages to write. Remove the key.`);
  const madeAt = now ?? clock.now();
  const texts = await textsOf(config.site);
  const { siteFiles } = await import('@vitrine/http');
  return servedStore(config, context, async (readers) => {
    const approved = approvedOf(config, await readStoredApprovals(readers.configurations, { signal }));
    const target = await SiteFolder.open(folder);
    for await (const file of siteFiles({ store: { readers }, approved, publicUrl: url, site: texts, now: madeAt, signal })) {
      await target.write(file);
      progress.show(`${folder}: ${file.path}`);
    }
    await target.finish();
    const { written, unchanged, removed } = target.counts;
    print(
      `${folder}: ${counted(written + unchanged, 'file')}, ${String(written)} written, ${String(unchanged)} unchanged, ${String(removed)} removed`,
    );
    return EXIT.fine;
  }).catch((error: unknown) => {
    if (!(error instanceof UnavailableError)) throw error;
    context.warn(
      `The store could not be read, so ${folder} is not complete. The files of the last run that were not replaced are still there. Run the command again.`,
    );
    return EXIT.store;
  });
}

/** The texts and the logo. The packages of the server are loaded here, because other commands do not need them. */
async function textsOf(config: SiteConfig) {
  const { siteOf } = await import('@vitrine/http');
  try {
    return (await siteOf(config)) ?? {};
  } catch (error) {
    // By name, as in the server: a `StartError` has one line for each problem of the configuration.
    throw error instanceof Error && error.name === 'StartError' ? new UsageError(error.message) : error;
  }
}
