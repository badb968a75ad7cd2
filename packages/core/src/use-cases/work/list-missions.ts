import type { Mission } from '../../domain/work/mission.js';
import type { WithOptionalRepository } from '../../domain/repositories/repository.js';
import type { TimePosition } from '../../domain/shared/page.js';
import type { MissionReader } from '../../ports/mission-reader.js';
import type { PageAnswer } from '../shared/answer.js';
import type { ScopedListInput, ScopedRecords } from '../shared/scoped-records.js';
import type { UseCaseContext } from '../shared/use-case-context.js';

/** `null` means any. */
export interface ListMissionsInput extends ScopedListInput {
  readonly status: string | null;
}

/** Public missions, the newest first. */
export class ListMissions {
  readonly #missions: MissionReader;
  readonly #records: ScopedRecords;

  constructor(missions: MissionReader, records: ScopedRecords) {
    this.#missions = missions;
    this.#records = records;
  }

  execute(input: ListMissionsInput, context: UseCaseContext): Promise<PageAnswer<WithOptionalRepository<Mission>, TimePosition>> {
    const { status } = input;
    return this.#records.page('mission', input, context, (approved, range) => this.#missions.list(approved, { ...range, status }, context));
  }
}
