import { UnavailableError } from '@vitrine/core';

/** A source did not respond in time. It is not used when the client disconnected. */
export class TimedOutError extends UnavailableError {}
