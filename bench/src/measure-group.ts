// Measures one group in this process, so that no group is affected by the memory of another. Sends the figures to its parent.
import { answerParent } from './child-process.js';
import { groupOf } from './groups.js';
import { WrongAnswerError } from './wrong-answer.js';

try {
  answerParent(await groupOf(process.argv[2] ?? '').measure());
} catch (error) {
  const isWrong = error instanceof WrongAnswerError;
  process.stderr.write(`${isWrong ? error.message : String(error instanceof Error ? error.stack : error)}\n`);
  process.exit(1);
}
