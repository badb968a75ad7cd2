import { parseDateTime, type Instant } from '@vitrine/core';
import { InvalidArgumentError, Option, type Command } from 'commander';
import type { CommandContext } from './command-context.js';
import { site, type SiteOptions } from './commands/site.js';
import type { ExitCode } from './exit-codes.js';

/** Runs a command, and keeps its exit code. */
type Run = (command: () => Promise<ExitCode>) => () => Promise<void>;

/** Adds the command that writes a static site. @param add adds a command with the settings of the program */
export function addSiteCommand(add: (usage: string, description: string) => Command, context: CommandContext, run: Run): void {
  add('site <folder>', 'write pages, feeds, badges and JSON as files that any static host serves')
    .addOption(
      new Option('--url <url>', 'the address at which they are published, such as https://status.example').makeOptionMandatory().argParser(urlOf),
    )
    .addOption(new Option('--now <time>', 'the time of the pages, with offset; by default the present one').default(null, 'now').argParser(timeOf))
    .action((folder: string, options: SiteOptions) => run(() => site(folder, options, context))());
}

/** Letters that need no encoding, so that every host finds the files. */
const PATH = /^(?:\/[\w.~-]+)*\/?$/;

/** Without a slash at its end. */
function urlOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.search !== '' || url.hash !== '' || !PATH.test(url.pathname))
    throw new InvalidArgumentError('Use a web address with a plain path or none, such as https://acme.example/status.');
  return url.origin + url.pathname.replace(/\/$/, '');
}

function timeOf(text: string): Instant {
  const instant = parseDateTime(text);
  if (instant === null) throw new InvalidArgumentError('Use a date and time with offset, such as 2026-11-20T22:00:00Z.');
  return instant;
}
