import type { ReadContext } from '@vitrine/core';

export function throwIfAborted({ signal }: ReadContext): void {
  signal.throwIfAborted();
}

/** Answers from memory: at once, unless the caller has gone; what is thrown rejects. */
export function answerNow<Result>(context: ReadContext, answer: () => Result): Promise<Result> {
  return new Promise((resolve) => {
    throwIfAborted(context);
    resolve(answer());
  });
}
