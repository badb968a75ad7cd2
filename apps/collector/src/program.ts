import { StoreFolderError } from '@vitrine/adapters-sqlite';
import { PathError, RunRequestError } from '@vitrine/collector';
import { ConfigError } from '@vitrine/config';
import { isDatabaseError } from '@vitrine/http/store';
import { Command, CommanderError } from 'commander';
import { EXIT, messageOf, OWN_VERSION, under, UsageError, waitOption, type CommandContext, type ExitCode, type Run } from './context.js';
import { addRecordCommands, checkStore } from './commands/records.js';
import { check } from './commands/check.js';
import { addCollectCommand } from './commands/collect.js';
import { addIncidentCommands } from './commands/incident.js';
import { addInitCommand } from './commands/init.js';
import { addSiteCommand } from './commands/site.js';
import { addSourcesCommand } from './commands/sources.js';
import { LeaseLostError, StoreInUseError } from './stores.js';

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
  const add = under(program);
  addRecordCommands(add, context, run);
  add('check', 'check the configuration and its paths, and print what Vitrine would do').action(run(() => check(context)));
  addInitCommand(add, context, run);
  addCollectCommand(add, context, run);
  addSourcesCommand(add, context, run);
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
  const add = under(store);
  add('check', 'read everything that is stored, and name what is damaged').action(run(() => checkStore(context)));
  // Only these commands need the driver of MongoDB in any case.
  const commands = () => import('./commands/database.js');
  add('init', 'create its collections, schemas and indexes').action(run(async () => (await commands()).initDatabase(context)));
  add('reindex', 'rebuild what is derived from the records')
    .addOption(waitOption())
    .action(run(async ({ wait }: { wait: number }) => (await commands()).reindexDatabase({ ...context, waitMs: wait })));
}

function codeOf(error: unknown, warn: (line: string) => void): ExitCode {
  // Commander has already printed the error or the help text.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.fine : EXIT.usage;
  warn(messageOf(error));
  return CODES.find(([isMeant]) => isMeant(error))?.[1] ?? EXIT.partly;
}
