/** Helpers that `@vitrine/collector` shares. They are not part of the public API: any version may change them. */
export { matchesBranch } from './git-location.js';
export { readGitLocation } from './git-location.js';
export { errorCodeOf } from './files/open-regular-file.js';
export { FileError } from './files/open-regular-file.js';
export { openRegularFile, requireRegularFile } from './files/open-regular-file.js';
export { readWholeFile } from './files/open-regular-file.js';
export { OutOfTimeError, withinTime } from './files/open-regular-file.js';
export { FORGES, LOCAL, RELEASES } from './config.js';
export {
  branchPattern,
  documentAddress,
  GITHUB_API,
  gitLocation,
  label,
  labelOfAddress,
  labelOfPath,
  languageTag,
  noGit,
  oneOf,
  path,
  providerPrefix,
  publicAddress,
  remoteName,
  repositoryAddress,
  repositoryName,
  sourceLabel,
  tokenOf,
  tokenVariable,
  yesOrNo,
} from './config-fields.js';
export { isPublicAddress } from './public-address.js';
export { duration, INTERVALS } from './duration.js';
export { mayBeScoped, scoped, type SourceFile, type Surroundings, unscoped } from './source-file.js';
export { FORGE_KEYS, type SourceKinds } from './source-schemas.js';
export { parsed } from './validation/problems.js';
export { leaf, privateLeaf, privateText, Refusal, textLeaf, wrong } from './validation/problems.js';
export { pathText, problemsOf, type Problem } from './validation/problems.js';
export { list, object } from './validation/problems.js';
export { isWebAddress } from './validation/problems.js';
