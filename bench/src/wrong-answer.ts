import { inspect, isDeepStrictEqual } from 'node:util';

/** A benchmark received a response that does not match the stored data. Its figures are worthless, so the run ends. */
export class WrongAnswerError extends Error {
  constructor(question: string, answered: unknown, stored: unknown) {
    super(`Wrong answer: ${question}.\n  stored:   ${shortened(stored)}\n  answered: ${shortened(answered)}`);
    this.name = 'WrongAnswerError';
  }
}

/** @throws WrongAnswerError if the response does not match the stored data */
export function mustBe(question: string, answered: unknown, stored: unknown): void {
  if (!isDeepStrictEqual(answered, stored)) throw new WrongAnswerError(question, answered, stored);
}

const LONGEST = 1_500;

function shortened(value: unknown): string {
  const text = inspect(value, { depth: 5, maxArrayLength: 30, maxStringLength: 200, breakLength: Number.POSITIVE_INFINITY });
  return text.length > LONGEST ? `${text.slice(0, LONGEST)} ...` : text;
}
