import { dirname } from 'node:path';
import { OutgoingClient } from '@vitrine/collector';
import { configFile, draftConfig, readForeignChecks, type ConfigDraft, type DraftedConfig } from '@vitrine/config';
import type { CommandContext } from '../command-context.js';
import { counted } from '../counted.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { askForDraft } from '../init-questions.js';
import { writeNewFile } from '../new-file.js';
import { savedLogo, type SavedLogoOptions } from '../saved-logo.js';

export interface InitOptions {
  readonly title?: string;
  readonly repository: readonly string[];
  readonly github: readonly string[];
  readonly check: readonly string[];
  readonly from?: string;
  readonly force?: boolean;
}

/**
 * Writes a new configuration file from answers or options. Rejects with a `UsageError` or a `ConfigError` before anything is written.
 *
 * @param client fetches the logo of another monitor
 */
export async function init(
  options: InitOptions,
  context: CommandContext,
  client: Pick<OutgoingClient, 'request'> = new OutgoingClient(),
): Promise<ExitCode> {
  const { env, print, warn } = context;
  const file = configFile(env);
  const answers = isAnswered(options) ? null : await askForDraft(context);
  const draft = answers ?? (await draftOf(options));
  const { services, sources, notes, variables } = await written(file, draft, options.force ?? false, { client, signal: context.signal });
  print(`${file}: written (${counted(services, 'service')}, ${counted(sources, 'source')}).`);
  for (const [name, content] of variables) warn(`Set the environment variable ${name}: ${content}.`);
  for (const note of notes) warn(note);
  print(`Next: npm run vitrine -- check, then npm start${env['VITRINE_CONFIG'] ? `, both with VITRINE_CONFIG=${file}` : ''}`);
  return EXIT.fine;
}

/** Writes the file, and then the logo, so that a file that may not be replaced costs no request. */
async function written(file: string, draft: ConfigDraft, replaces: boolean, fetching: Omit<SavedLogoOptions, 'folder'>): Promise<DraftedConfig> {
  const drafted = draftConfig(draft);
  await writeNewFile(file, drafted.text, replaces);
  const logo = draft.foreign === null ? null : await savedLogo(draft.foreign.site.logo, { ...fetching, folder: dirname(file) });
  if (logo === null) return drafted;
  const complete = draftConfig({ ...draft, logo });
  await writeNewFile(file, complete.text, true);
  return complete;
}

/** If an option answers a question, nothing is asked. */
function isAnswered({ title, repository, github, check, from }: InitOptions): boolean {
  return title !== undefined || from !== undefined || [repository, github, check].some(({ length }) => length > 0);
}

async function draftOf({ title, repository, github, check, from }: InitOptions): Promise<ConfigDraft> {
  const foreign = from === undefined ? null : await readForeignChecks(from);
  return { title: title ?? null, owners: github, repositories: repository, addresses: check, foreign };
}
