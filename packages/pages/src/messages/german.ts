import type { english } from './english.js';
import { germanRecords } from './german-records.js';
import { germanStatus } from './german-status.js';

/** Every text of the pages in German. Counts come twice: as a number, and as it is written. */
export const german: typeof english = { ...germanRecords, ...germanStatus };
