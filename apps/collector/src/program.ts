import { StoreFolderError } from '@vitrine/adapters-memory';
import { MongoStoreError } from '@vitrine/adapters-mongo';
import { ConfigError, RecordsFileError } from '@vitrine/collector';
import { Command, CommanderError } from 'commander';
import type { CommandContext } from './command-context.js';
import { check } from './commands/check.js';
import { collect } from './commands/collect.js';
import { exportFile } from './commands/export.js';
import { importFile } from './commands/import.js';
import { initDatabase, reindexDatabase } from './commands/store.js';
import { EXIT, type ExitCode } from './exit-codes.js';
import { LeaseLostError } from './lease-lost-error.js';
import { messageOf } from './message-of.js';
import { UsageError } from './usage-error.js';

const HELP = `
Exit codes:
  0  everything was done
  1  some records or sources were bad, the rest was done
  2  the command line or the configuration cannot be used
  3  the store cannot be opened, reached or written
  4  another process took over the writing; run the command again`;

const CODES: readonly (readonly [isMeant: (error: unknown) => boolean, code: ExitCode])[] = [
  [(error) => error instanceof ConfigError || error instanceof UsageError || error instanceof RecordsFileError, EXIT.usage],
  [(error) => error instanceof MongoStoreError && error.problem === 'address', EXIT.usage],
  [(error) => error instanceof MongoStoreError || error instanceof StoreFolderError, EXIT.store],
  [(error) => error instanceof LeaseLostError, EXIT.lost],
];

/** Runs the command that the arguments name, and resolves with its exit code. Never rejects. */
export async function runProgram(args: readonly string[], context: CommandContext): Promise<ExitCode> {
  let code: ExitCode = EXIT.fine;
  const run = (command: () => Promise<ExitCode>) => async (): Promise<void> => {
    code = await command();
  };
  try {
    await programOf(context, run).parseAsync(args, { from: 'user' });
  } catch (error) {
    code = codeOf(error, context.warn);
  }
  context.progress.clear();
  return code;
}

function programOf(context: CommandContext, run: (command: () => Promise<ExitCode>) => () => Promise<void>): Command {
  const program = new Command('vitrine')
    .description('Collects the records that Vitrine shows. The configuration is vitrine.yaml, or what VITRINE_CONFIG names.')
    .addHelpText('after', HELP)
    .showHelpAfterError('npm run vitrine -- --help shows every command.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => {
        context.print(text.trimEnd());
      },
      writeErr: (text) => {
        context.warn(text.trimEnd());
      },
    });
  const add = (usage: string, description: string) => program.command(usage).description(description).copyInheritedSettings(program);
  add('collect', 'run every source of the configuration once').action(run(() => collect(context)));
  add('import <file>', 'take the records of a file, or of the standard input (-), into the store')
    .option('--strict', 'store nothing when any line is bad')
    .action((file: string, { strict = false }: { strict?: boolean }) => run(() => importFile(file, strict, context))());
  add('export <file>', 'write every record of the store into a file').action((file: string) => run(() => exportFile(file, context))());
  add('check', 'check the configuration and say what would be done').action(run(() => check(context)));
  const store = add('store', 'prepare or rebuild a MongoDB store');
  const addToStore = (name: string, description: string) => store.command(name).description(description).copyInheritedSettings(program);
  addToStore('init', 'create its collections, schemas and indexes').action(run(() => initDatabase(context)));
  addToStore('reindex', 'rebuild what is derived from the records').action(run(() => reindexDatabase(context)));
  return program;
}

function codeOf(error: unknown, warn: (line: string) => void): ExitCode {
  // Commander has said what was wrong, or shown the help that was asked for.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.fine : EXIT.usage;
  warn(messageOf(error));
  return CODES.find(([isMeant]) => isMeant(error))?.[1] ?? EXIT.partly;
}
