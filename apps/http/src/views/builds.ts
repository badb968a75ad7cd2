import { ownRepository, repositorySchema } from './repositories.js';
import { kindSchema } from './shared/kind-schema.js';
import { itemPresenter } from './kind-view.js';
import { provenanceSchema } from './shared/schema.js';

export const buildSchema = kindSchema(['Build', 'A run of a build of an approved repository.'], 'build', { repository: ownRepository }, [
  repositorySchema,
  provenanceSchema,
]);

export const presentBuild = itemPresenter('build');
