/** Helpers that `@vitrine/collector` shares. They are not part of the public API: any version may change them. */
export { matchesBranch } from './git-location.js';
export { readGitLocation } from './git-location.js';
export { errorCodeOf } from './files/open-regular-file.js';
export { FileError } from './files/open-regular-file.js';
export { openRegularFile, requireRegularFile } from './files/open-regular-file.js';
export { readWholeFile } from './files/open-regular-file.js';
export { OutOfTimeError, withinTime } from './files/open-regular-file.js';
export { providerPrefix } from './config-fields.js';
export { leaf, privateLeaf, privateText, Refusal, textLeaf, wrong } from './validation/problems.js';
export { pathText, problemsOf, type Problem } from './validation/problems.js';
export { list, object } from './validation/problems.js';
export { isWebAddress } from './validation/problems.js';
