import type { Config } from '@vitrine/config';

/** The prefix of the addresses of records: of the pages, or of the API if the pages are off. @param origin the address of a server, without a final slash */
export function addressBase(origin: string, { site }: Pick<Config, 'site'>): string {
  return site === null ? `${origin}/api/v1` : origin;
}
