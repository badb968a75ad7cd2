import { englishRecords } from './english-records.js';
import { englishStatus } from './english-status.js';

/** Every text of the pages in English. Counts come twice: as a number, and as it is written. */
export const english = { ...englishRecords, ...englishStatus };
