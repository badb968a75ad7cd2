import type { Mission } from '../../domain/work/mission.js';
import type { WithOptionalRepository } from '../../domain/repositories/repository.js';
import type { MissionReader } from '../../ports/mission-reader.js';
import type { Answer } from '../shared/answer.js';
import type { IdInput, ScopedRecords } from '../shared/scoped-records.js';
import type { UseCaseContext } from '../shared/use-case-context.js';

/** One mission by its public id. */
export class GetMission {
  readonly #missions: MissionReader;
  readonly #records: ScopedRecords;

  constructor(missions: MissionReader, records: ScopedRecords) {
    this.#missions = missions;
    this.#records = records;
  }

  async execute({ id }: IdInput, context: UseCaseContext): Promise<Answer<WithOptionalRepository<Mission>>> {
    return this.#records.one('mission', await this.#missions.byId(context.approved, id, context), context);
  }
}
