import { StoreFolderError } from '@vitrine/adapters-sqlite';
import { PathError, RunRequestError } from '@vitrine/collector';
import { ConfigError, parseDuration } from '@vitrine/config';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import {
  EXIT,
  messageOf,
  OWN_VERSION,
  repeated,
  UsageError,
  type CommandContext,
  type StoreContext,
  type Add,
  type ExitCode,
  type Run,
} from './context.js';
import { backup, checkStore, exportFile, importFile } from './commands/records.js';
import { check } from './commands/check.js';
import { collect } from './commands/collect.js';
import { init, type InitOptions } from './commands/init.js';
import { sources } from './commands/sources.js';
import { isDatabaseError } from '@vitrine/http/store';
import { LeaseLostError, StoreInUseError } from './stores.js';
import { addIncidentCommands } from './incident-commands.js';
import { addSiteCommand } from './commands/site.js';

const HELP = `
Exit codes:
  0  the command completed
  1  some records or sources failed, and the rest was done; or the command was stopped, or the store is damaged
  2  the command line or the configuration is invalid, or a named file or standard output cannot be read or written
  3  the store cannot be opened, reached or written, or another process collects into it for longer than --wait
  4  another process got the lease; run the command again`;

/** Errors of the command line, the configuration and the files that they name. */
const USAGE = [ConfigError, UsageError, PathError] as const;

const CODES: readonly (readonly [isMeant: (error: unknown) => boolean, code: ExitCode])[] = [
  [(error) => USAGE.some((type) => error instanceof type), EXIT.usage],
  [(error) => error instanceof RunRequestError && error.reason === 'unknown', EXIT.usage],
  [(error) => isDatabaseError(error) && error.problem === 'address', EXIT.usage],
  [(error) => error instanceof RunRequestError, EXIT.store],
  [(error) => isDatabaseError(error) || error instanceof StoreFolderError || error instanceof StoreInUseError, EXIT.store],
  [(error) => error instanceof LeaseLostError, EXIT.lost],
];

/** Runs the command that the arguments name, and resolves with its exit code. Never rejects. */
export async function runProgram(args: readonly string[], context: CommandContext): Promise<ExitCode> {
  let code: ExitCode = EXIT.fine;
  const run: Run =
    (command) =>
    async (...given) => {
      code = await command(...given);
    };
  try {
    await programOf(context, run).parseAsync(args, { from: 'user' });
  } catch (error) {
    code = codeOf(error, context.warn);
  }
  context.progress.clear();
  return code;
}

function programOf(context: CommandContext, run: Run): Command {
  const program = new Command('vitrine')
    .description('Collects the records that Vitrine shows. The configuration is vitrine.yaml, or what VITRINE_CONFIG names.')
    .version(OWN_VERSION, '-V, --version', 'show the version')
    .addHelpText('after', HELP)
    .showHelpAfterError(`${CALL} --help shows every command.`)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => context.print(text.trimEnd()),
      writeErr: (text) => context.warn(text.trimEnd()),
      outputError: (text, write) =>
        write(text.startsWith('error: too many arguments') ? `${text.trimEnd()} Put a text with spaces in quotes.` : text),
    });
  const add = (usage: string, description: string) => program.command(usage).description(description).copyInheritedSettings(program);
  const opening = (options: OpeningOptions): StoreContext => ({ ...context, waitMs: options.wait });
  add('import <file>', 'store the records of a file, or of standard input (-)')
    .option('--strict', 'store nothing if any line is invalid')
    .addOption(waitOption())
    .action(run((file: string, options: OpeningOptions & { strict?: boolean }) => importFile(file, options.strict ?? false, opening(options))));
  add('export <file>', 'write every record of the store to a file, or to standard output (-)')
    .addOption(waitOption())
    .action(run((file: string, options: OpeningOptions) => exportFile(file, opening(options))));
  add('backup <file>', 'copy the store of a data folder into a new file, also while a server uses it').action(
    run((file: string) => backup(file, context)),
  );
  add('check', 'check the configuration and its paths, and print what Vitrine would do').action(run(() => check(context)));
  addInitCommand(add, context, run);
  addCollectCommand(add, opening, run);
  addSourcesCommand(add, opening, run);
  addSiteCommand(add, context, run);
  addIncidentCommands(add, context, run);
  addStoreCommands(add('store', 'check the store, or prepare and rebuild one in MongoDB'), context, run);
  for (const command of program.commands) nameOwnHelp(command, command.name());
  return program;
}

/** After a mistake, the help of the command itself has the answer. */
function nameOwnHelp(command: Command, path: string): void {
  command.showHelpAfterError(`${CALL} ${path} --help shows its ${command.commands.length > 0 ? 'commands' : 'arguments and options'}.`);
  for (const inner of command.commands) nameOwnHelp(inner, `${path} ${inner.name()}`);
}

const CALL = 'npm run vitrine --';

function addStoreCommands(store: Command, context: CommandContext, run: Run): void {
  const add = (name: string, description: string) => store.command(name).description(description).copyInheritedSettings(store);
  add('check', 'read everything that is stored, and name what is damaged').action(run(() => checkStore(context)));
  // Only these commands need the driver of MongoDB in any case.
  const commands = () => import('./commands/database.js');
  add('init', 'create its collections, schemas and indexes').action(run(async () => (await commands()).initDatabase(context)));
  add('reindex', 'rebuild what is derived from the records')
    .addOption(waitOption())
    .action(run(async (options: OpeningOptions) => (await commands()).reindexDatabase({ ...context, waitMs: options.wait })));
}

function addInitCommand(add: Add, context: CommandContext, run: Run): void {
  add('init', 'write a configuration file; on a terminal, it asks three questions if no option answers them')
    .option('--title <text>', 'the title of the pages')
    .addOption(repeated('--repository <address>', 'show the repository with this web address'))
    .addOption(repeated('--github <owner>', 'show the public repositories of this GitHub user or organization'))
    .addOption(repeated('--check <address>', 'check this address: http, https, tcp://host:port or dns:name'))
    .option('--from <file>', 'check what Gatus (config.yaml), Upptime (.upptimerc.yml) or Uptime Kuma (JSON backup) checks')
    .option('--force', 'replace a file that exists')
    .action(run((options: InitOptions) => init(options, context)));
}

function addCollectCommand(add: Add, opening: (options: OpeningOptions) => StoreContext, run: Run): void {
  add('collect', 'run every source of the configuration once')
    .option('--watch', 'run sources on their intervals until the command is stopped, and follow the configuration file')
    .addOption(repeated('--source <name>', 'run only this source, by a name that the command sources prints', 'all'))
    .addOption(waitOption())
    .action(
      run(({ watch = false, source: names, wait }: OpeningOptions & { watch?: boolean; source: readonly string[] }) =>
        collect({ watch, names }, opening({ wait })),
      ),
    );
}

function addSourcesCommand(add: Add, opening: (options: OpeningOptions) => StoreContext, run: Run): void {
  add('sources', 'show the state, the last runs and the last failure of each source')
    .option('--json', 'print one JSON array')
    .addOption(waitOption())
    .action(run(({ json = false, wait }: OpeningOptions & { json?: boolean }) => sources({ json }, opening({ wait }))));
}

interface OpeningOptions {
  readonly wait: number;
}

/** The default is long enough for a process that is about to exit, and short enough for a command that a timer starts. */
function waitOption(): Option {
  return new Option('--wait <duration>', 'how long to wait while another process has the store').default(10_000, '10s').argParser(waitOf);
}

function waitOf(text: string): number {
  const milliseconds = parseDuration(text);
  if (milliseconds === null) throw new InvalidArgumentError('Use a number and a unit, such as 0s, 30s or 5m.');
  return milliseconds;
}

function codeOf(error: unknown, warn: (line: string) => void): ExitCode {
  // Commander has already printed the error or the help text.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.fine : EXIT.usage;
  warn(messageOf(error));
  return CODES.find(([isMeant]) => isMeant(error))?.[1] ?? EXIT.partly;
}
