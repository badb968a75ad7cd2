import { approvedOf, readStoredApprovals } from '@vitrine/collector';
import type { SiteConfig } from '@vitrine/config';
import { UnavailableError, type Instant } from '@vitrine/core';
import { InvalidArgumentError, Option } from 'commander';
import { counted, EXIT, storedConfig, timeOf, UsageError, type Add, type CommandContext, type ExitCode, type Run } from '../context.js';
import { SiteFolder } from './site-folder.js';
import { readingStore } from '../stores.js';

interface SiteOptions {
  /** The address at which the site is published, without a slash at its end. */
  readonly url: string;
  readonly now: Instant | null;
}

/** Writes the pages, feeds, badges and JSON as files into a folder, also while a server runs. */
async function site(folder: string, { url, now }: SiteOptions, context: CommandContext): Promise<ExitCode> {
  const { env, clock, print, progress, signal } = context;
  const config = await storedConfig(env);
  if (config.site === null) throw new UsageError(`${config.file}: site: is false, so there are no pages to write. Remove the key.`);
  const madeAt = now ?? clock.now();
  const texts = await textsOf(config.site);
  const { siteFiles } = await import('@vitrine/http');
  // What the store derives, such as the newest release of a repository, is of the same time as the pages.
  return readingStore(config, { ...context, clock: { now: () => madeAt } }, async ({ readers }) => {
    const approved = approvedOf(config, await readStoredApprovals(readers.configurations, { signal }));
    const target = await SiteFolder.open(folder);
    try {
      for await (const file of siteFiles({ store: { readers }, approved, publicUrl: url, site: texts, now: madeAt, signal })) {
        await target.write(file);
        progress.show(`${folder}: ${file.path}`);
      }
      await target.finish();
    } finally {
      target.release();
    }
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

export function addSiteCommand(add: Add, context: CommandContext, run: Run): void {
  add('site <folder>', 'write pages, feeds, badges and JSON as files that any static host serves')
    .addOption(
      new Option('--url <url>', 'the address at which they are published, such as https://status.example').makeOptionMandatory().argParser(urlOf),
    )
    .addOption(new Option('--now <time>', 'the time of the pages, with offset; by default the present one').default(null, 'now').argParser(timeOf))
    .action(run((folder: string, options: SiteOptions) => site(folder, options, context)));
}

/** Letters that need no encoding, so that every host finds the files. */
const PATH = /^(?:\/[\w.~-]+)*\/?$/;

function urlOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.search !== '' || url.hash !== '' || !PATH.test(url.pathname))
    throw new InvalidArgumentError('Use a web address with a plain path or none, such as https://acme.example/status.');
  return url.origin + url.pathname.replace(/\/$/, '');
}
