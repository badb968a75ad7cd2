import type { AnswerReaders, Clock, Deadlines } from '../../ports/store.js';
import type { ServiceBoard } from '../status/service-board.js';
import type { StatusBoard } from '../status/status-board.js';
import type { FreshnessJudge } from './answer.js';
import type { RepositoryGate } from './records.js';

/** What the use cases are made of. Each names the parts that it needs. */
export interface UseCaseParts {
  readonly readers: AnswerReaders;
  readonly gate: RepositoryGate;
  readonly freshness: FreshnessJudge;
  readonly board: ServiceBoard;
  readonly status: StatusBoard;
  readonly deadlines: Deadlines;
  readonly clock: Clock;
}

/** Some of the parts, and some of the readers. */
export type Parts<Name extends keyof UseCaseParts, Reader extends keyof AnswerReaders = never> = Pick<UseCaseParts, Exclude<Name, 'readers'>> & {
  readonly readers: Pick<AnswerReaders, Reader>;
};
