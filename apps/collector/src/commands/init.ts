import { configFile, draftConfig, readForeignChecks, type ConfigDraft } from '@vitrine/config';
import type { CommandContext } from '../command-context.js';
import { counted } from '../counted.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { askForDraft } from '../init-questions.js';
import { writeNewFile } from '../new-file.js';

export interface InitOptions {
  readonly title?: string;
  readonly repository: readonly string[];
  readonly github: readonly string[];
  readonly check: readonly string[];
  readonly from?: string;
  readonly force?: boolean;
}

/** Writes a new configuration file from answers or options. Rejects with a `UsageError` or a `ConfigError`, and has written nothing then. */
export async function init(options: InitOptions, context: CommandContext): Promise<ExitCode> {
  const { env, print, warn } = context;
  const file = configFile(env);
  const answers = isAnswered(options) ? null : await askForDraft(context);
  const { text, services, sources, notes, variables } = draftConfig(answers ?? (await draftOf(options)));
  await writeNewFile(file, text, options.force ?? false);
  print(`${file}: written (${counted(services, 'service')}, ${counted(sources, 'source')}).`);
  for (const [name, content] of variables) warn(`Set the environment variable ${name}: ${content}.`);
  for (const note of notes) warn(note);
  print('Next: npm run vitrine -- check, then npm start');
  return EXIT.fine;
}

/** If an option answers a question, nothing is asked. */
function isAnswered({ title, repository, github, check, from }: InitOptions): boolean {
  return title !== undefined || from !== undefined || [repository, github, check].some(({ length }) => length > 0);
}

async function draftOf({ title, repository, github, check, from }: InitOptions): Promise<ConfigDraft> {
  const foreign = from === undefined ? null : await readForeignChecks(from);
  return { title: title ?? null, owners: github, repositories: repository, addresses: check, foreign };
}
