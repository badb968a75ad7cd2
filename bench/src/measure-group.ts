// Measures one group in this process, so that no group is affected by the memory of another. Sends the figures to its parent.
import { answerParent } from './child-process.js';
import { groupOf } from './groups.js';
import { MissingProgramError } from './missing-program.js';
import { WrongAnswerError } from './wrong-answer.js';

try {
  answerParent(await groupOf(process.argv[2] ?? '').measure());
} catch (error) {
  const isExplained = error instanceof WrongAnswerError || error instanceof MissingProgramError;
  process.stderr.write(`${isExplained ? error.message : String(error instanceof Error ? error.stack : error)}\n`);
  process.exit(1);
}
