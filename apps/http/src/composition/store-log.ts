import { HOUR, type ClockDoubt } from '@vitrine/core';
import type { Logger } from 'pino';
import { loggedError } from './logged-error.js';

/** Logs that a store can no longer be written, which somebody has to put right, and that it can be again. */
export function writableLog(logger: Logger): (isWritable: boolean, error: unknown) => void {
  return (isWritable, error) => {
    if (isWritable) logger.info('the store can be written again');
    else logger.error(loggedError(error), 'the store cannot be written: everything is served, and nothing is collected until it can');
  };
}

/** Logs that search segments could not be merged in the background. */
export function mergeLog(logger: Logger): (error: unknown) => void {
  return (error) => {
    logger.warn(loggedError(error), 'search segments could not be merged; search is correct, and the next write tries again');
  };
}

/** Logs that the clock of this machine is in doubt. */
export function clockLog(logger: Logger): (doubt: ClockDoubt) => void {
  return ({ reason, by }) => {
    const what = reason === 'jump' ? 'the clock jumped while this process ran' : 'the clock is far ahead of the newest stored checks';
    logger.warn({ hours: Math.round(by / HOUR) }, `${what}; no raw checks are deleted for a day. Check the clock of this machine`);
  };
}
