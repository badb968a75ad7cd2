import { lockFile } from '../src/index.js';
import { acknowledge } from './acknowledge.js';

/** Longer than any test. */
const NEVER_MS = 3_600_000;

/** Locks the file that it is given, says so, and keeps it locked. */
const isLocked = lockFile(process.argv[2] ?? '') !== null;
acknowledge(isLocked ? 'locked' : 'not locked');
setTimeout(() => undefined, NEVER_MS);
