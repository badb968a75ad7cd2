import { createInterface } from 'node:readline';
import { ConfigError, draftConfig, readForeignChecks, type ConfigDraft } from '@vitrine/config';
import type { CommandContext } from './command-context.js';
import { UsageError } from './usage-error.js';

const TITLE = 'What is your team or product called? ';
const REPOSITORIES = 'Which repositories do you want to show? Web addresses such as https://github.com/acme/widget, or the name of a GitHub owner: ';
const CHECKS = 'Which services do you want to check? Addresses such as https://acme.example, or the file of Gatus, Upptime or Uptime Kuma: ';

/** Asks the three questions of `init`; `null` if standard input is not a terminal. Rejects with a {@link UsageError} if the input ends. */
export async function askForDraft({ stdin, stdout, signal, warn }: CommandContext): Promise<ConfigDraft | null> {
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
