import { createInterface } from 'node:readline';
import { readForeignChecks, type ConfigDraft } from '@vitrine/config';
import type { CommandContext } from './command-context.js';
import { UsageError } from './usage-error.js';

const TITLE = 'What is your team or product called? ';
const REPOSITORIES = 'Which repositories do you want to show? Web addresses such as https://github.com/acme/widget, or the name of a GitHub owner: ';
const CHECKS = 'Which services do you want to check? Addresses such as https://acme.example, or the file of Gatus, Upptime or Uptime Kuma: ';

/** Asks the three questions of `init`; `null` if nobody can answer, because standard input is not a terminal. Rejects with a {@link UsageError} if the input ends. */
export async function askForDraft({ stdin, stdout, signal }: CommandContext): Promise<ConfigDraft | null> {
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
  try {
    const title = (await ask(TITLE)).trim();
    const repositories = words(await ask(REPOSITORIES));
    const checks = words(await ask(CHECKS));
    const addresses = checks.filter(isAddress);
    const [file] = checks.filter((word) => !isAddress(word));
    return {
      title: title === '' ? null : title,
      owners: repositories.filter((word) => !isAddress(word)),
      repositories: repositories.filter(isAddress),
      addresses,
      foreign: file === undefined ? null : await readForeignChecks(file),
    };
  } finally {
    questions.close();
  }
}

function words(answer: string): readonly string[] {
  return answer.split(/[\s,]+/).filter((word) => word !== '');
}

function isAddress(word: string): boolean {
  return /^(?:[a-z]+:\/\/|dns:)/i.test(word);
}
