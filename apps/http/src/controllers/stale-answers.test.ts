import type { KeptAnswer } from '../serving/cache.js';
import { FinishedAnswer } from '../serving/finished-answer.js';
import { StaleAnswers } from './stale-answers.js';

const NOW = 1_000;

function finished(text: string): FinishedAnswer {
  return new FinishedAnswer({ type: 'application/json', text, cacheControl: 'no-store', link: '', etag: null });
}

function kept(again?: () => unknown): KeptAnswer<{ again?: () => unknown }> {
  const facts = again === undefined ? {} : { again };
  return { answer: finished('kept'), madeAt: NOW, expiresAt: NOW, extraBytes: 0, facts };
}

describe('StaleAnswers', () => {
  it('makes the stale form of a kept answer once', () => {
    const [answers, list] = [new StaleAnswers<{ again?: () => unknown }>(), kept()];
    const first = answers.of(list, NOW, () => finished('first'));
    expect(answers.of(list, NOW + 60_000, () => finished('second'))).toBe(first);
    expect(answers.of(kept(), NOW, () => finished('of another')).body.toString()).toBe('of another');
  });

  it('makes the stale form of an answer that is judged again for each time', () => {
    const [answers, status] = [new StaleAnswers<{ again?: () => unknown }>(), kept(() => null)];
    const first = answers.of(status, NOW, () => finished('first'));
    expect(answers.of(status, NOW, () => finished('second'))).toBe(first);
    expect(answers.of(status, NOW + 1, () => finished('third')).body.toString()).toBe('third');
  });

  it('keeps a limited number of bytes', () => {
    const answers = new StaleAnswers<{ again?: () => unknown }>();
    const [list, megabyte] = [kept(), 'x'.repeat(1_024 * 1_024)];
    answers.of(list, NOW, () => finished('first'));
    for (let count = 0; count < 8; count++) answers.of(kept(), NOW, () => finished(megabyte));
    expect(answers.of(list, NOW, () => finished('again')).body.toString()).toBe('again');
  });
});
