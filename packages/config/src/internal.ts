/** Helpers that `@vitrine/collector` shares. They are not part of the public API: any version may change them. */
export { matchesBranch } from './branch-pattern.js';
export { readGitLocation } from './git-location.js';
export { errorCodeOf } from './files/error-code.js';
export { FileError } from './files/file-error.js';
export { openRegularFile, requireRegularFile } from './files/open-regular-file.js';
export { readWholeFile } from './files/read-whole-file.js';
export { OutOfTimeError, withinTime } from './files/within-time.js';
export { providerPrefix } from './source-label.js';
export { leaf, privateLeaf, Refusal, wrong } from './validation/leaf.js';
export { pathText, problemsOf, type Problem } from './validation/problems.js';
export { list, object } from './validation/structure.js';
export { isWebAddress } from './validation/web-address.js';
