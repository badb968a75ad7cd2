import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { link, writeFile } from 'node:fs/promises';
import { OutgoingClient, writeWhole, type OutgoingResponse } from '@vitrine/collector';
import { configFile, draftConfig, readForeignChecks, ConfigError, type ConfigDraft, type DraftedConfig } from '@vitrine/config';
import { counted, EXIT, fileProblem, repeated, UsageError, type Add, type CommandContext, type ExitCode, type Run } from '../context.js';

interface InitOptions {
  readonly title?: string;
  readonly repository: readonly string[];
  readonly github: readonly string[];
  readonly check: readonly string[];
  readonly from?: string;
  readonly force?: boolean;
}

export function addInitCommand(add: Add, context: CommandContext, run: Run): void {
  add('init', 'write a configuration file; on a terminal, it asks three questions if no option answers them')
    .option('--title <text>', 'the title of the pages')
    .addOption(repeated('--repository <address>', 'show the repository with this web address'))
    .addOption(repeated('--github <owner>', 'show the public repositories of this GitHub user or organization'))
    .addOption(repeated('--check <address>', 'check this address: http, https, tcp://host:port or dns:name'))
    .option('--from <file>', 'check what Gatus (config.yaml), Upptime (.upptimerc.yml) or Uptime Kuma (JSON backup) checks')
    .option('--force', 'replace a file that exists')
    .action(run((options: InitOptions) => init(options, context)));
}

/** Writes a new configuration file. Rejects with a `UsageError` or a `ConfigError` before anything is written. @param client fetches the logo of another monitor */
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

const TITLE = 'What is your team or product called? ';
const REPOSITORIES = 'Which repositories do you want to show? Web addresses such as https://github.com/acme/widget, or the name of a GitHub owner: ';
const CHECKS = 'Which services do you want to check? Addresses such as https://acme.example, or the file of Gatus, Upptime or Uptime Kuma: ';

/** Asks the three questions of `init`; `null` if standard input is not a terminal. Rejects with a {@link UsageError} if the input ends. */
async function askForDraft({ stdin, stdout, signal, warn }: CommandContext): Promise<ConfigDraft | null> {
  const input = stdin();
  if (!('isTTY' in input) || input.isTTY !== true) return null;
  const questions = createInterface({ input, output: stdout(), signal });
  // It keeps lines that are typed before their question is asked.
  const lines = questions[Symbol.asyncIterator]();
  const ask = async (question: string): Promise<string> => {
    questions.setPrompt(question);
    questions.prompt();
    const line = await lines.next();
    signal.throwIfAborted();
    if (line.done === true) throw new UsageError('Nothing was written, because not every question was answered.');
    return line.value;
  };
  /** Asks again until the answer can be used. */
  const askFor = async (question: string, partOf: (answer: string) => Partial<ConfigDraft> | Promise<Partial<ConfigDraft>>) => {
    for (;;) {
      const answer = await ask(question);
      try {
        const part = await partOf(answer);
        draftConfig({ ...NOTHING, ...part });
        return part;
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        warn(error.message);
      }
    }
  };
  try {
    const title = (await ask(TITLE)).trim();
    return { ...NOTHING, title: title === '' ? null : title, ...(await askFor(REPOSITORIES, shownBy)), ...(await askFor(CHECKS, checkedBy)) };
  } finally {
    questions.close();
  }
}

const NOTHING: ConfigDraft = { title: null, owners: [], repositories: [], addresses: [], foreign: null };

function shownBy(answer: string): Partial<ConfigDraft> {
  const repositories = words(answer);
  return { owners: repositories.filter((word) => !isAddress(word)), repositories: repositories.filter(isAddress) };
}

async function checkedBy(answer: string): Promise<Partial<ConfigDraft>> {
  const checks = words(answer);
  const [file] = checks.filter((word) => !isAddress(word));
  return { addresses: checks.filter(isAddress), foreign: file === undefined ? null : await readForeignChecks(file) };
}

function words(answer: string): readonly string[] {
  return answer.split(/[\s,]+/).filter((word) => word !== '');
}

function isAddress(word: string): boolean {
  return /^(?:[a-z]+:\/\/|dns:)/i.test(word);
}

const REASONS = {
  EEXIST: 'exists. To replace it, add --force. To write another file, name it in VITRINE_CONFIG.',
  ENOENT: 'cannot be written, because its folder does not exist. Create the folder, or name another file in VITRINE_CONFIG.',
  ENOTDIR: 'cannot be written, because its folder does not exist. Create the folder, or name another file in VITRINE_CONFIG.',
  EISDIR: 'is a folder. Name a file in VITRINE_CONFIG.',
  EACCES: 'cannot be written. Name a file in VITRINE_CONFIG, in a folder that you may write.',
  EROFS: 'cannot be written. Name a file in VITRINE_CONFIG, in a folder that you may write.',
};

/** Writes a file whole or not at all. Rejects with a {@link UsageError} if it exists and may not be replaced, or cannot be written. */
async function writeNewFile(file: string, text: string, replaces: boolean): Promise<void> {
  try {
    await (replaces ? writeWhole(file, text) : writeWhole(file, text, { place: link }));
  } catch (error) {
    throw fileProblem(error, file, REASONS) ?? error;
  }
}

const ENDINGS: Readonly<Record<string, string>> = { 'image/svg+xml': '.svg', 'image/png': '.png', 'image/webp': '.webp', 'image/jpeg': '.jpg' };
/** A logo is on every page, so it has to be small. */
const MAX_BYTES = 256 * 1_024;

export interface SavedLogoOptions {
  readonly folder: string;
  readonly client: Pick<OutgoingClient, 'request'>;
  readonly signal: AbortSignal;
}

/** Fetches the logo of another monitor into a new file. Resolves with its name, or with `null` if the response is not a small image, or the file exists. */
export async function savedLogo(address: string, { folder, client, signal }: SavedLogoOptions): Promise<string | null> {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return null;
  try {
    const response = await client.request({ url: address, allowPrivate: false, maxBytes: MAX_BYTES, signal });
    const ending = endingOf(response);
    if (ending === null) return null;
    await writeFile(join(folder, `logo${ending}`), response.body, { flag: 'wx' });
    return `logo${ending}`;
  } catch {
    signal.throwIfAborted();
    return null;
  }
}

function endingOf({ status, headers, body }: OutgoingResponse): string | null {
  const [type = ''] = (headers['content-type'] ?? '').toLowerCase().split(';', 1);
  return status === 200 && body.length > 0 ? (ENDINGS[type.trim()] ?? null) : null;
}
