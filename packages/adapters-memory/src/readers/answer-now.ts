import type { ReadContext } from '@vitrine/core';

/** Answers at once, unless the caller has cancelled the call. If `answer` throws, the promise rejects. */
export function answerNow<Result>({ signal }: ReadContext, answer: () => Result): Promise<Result> {
  return new Promise((resolve) => {
    signal.throwIfAborted();
    resolve(answer());
  });
}
