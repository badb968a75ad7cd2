/** The tables of checks and daily counts. */
export const STATUS_TABLES = '';
