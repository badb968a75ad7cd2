import { UnavailableError } from '@vitrine/core';

/** The time of a call was over. A client that goes away is not meant: of the source that says nothing. */
export class TimedOutError extends UnavailableError {}
