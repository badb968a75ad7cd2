/** Helpers that `@vitrine/collector` shares. They are not part of the public API: any version may change them. */
export { matchesBranch, readGitLocation } from './git-location.js';
export { errorCodeOf, FileError, openRegularFile, OutOfTimeError, readWholeFile, requireRegularFile, withinTime } from './files/open-regular-file.js';
export { FORGES, LOCAL, RELEASES } from './config.js';
export { branchPattern, documentAddress, GITHUB_API, gitLocation, label, labelOfAddress, labelOfPath, languageTag, noGit } from './config-fields.js';
export { oneOf, path, providerPrefix, publicAddress, remoteName, repositoryAddress, repositoryName, serviceKey } from './config-fields.js';
export { slug, sourceLabel, tokenOf, tokenVariable, yesOrNo } from './config-fields.js';
export { isPublicAddress } from './public-address.js';
export { heavyYaml } from './heavy-yaml.js';
export { duration, INTERVALS } from './duration.js';
export { FORGE_KEYS, mayBeScoped, scoped, unscoped, type SourceFile, type SourceKinds, type Surroundings } from './source-file.js';
export { isWebAddress, leaf, list, object, orNull, parsed, pathText, privateLeaf, privateText } from './validation/problems.js';
export { problemsOf, Refusal, textLeaf, wrong } from './validation/problems.js';
export type { Problem } from './validation/problems.js';
