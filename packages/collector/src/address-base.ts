import type { Config } from '@vitrine/config';

/** What the addresses of records begin with: those of the pages, or those of the API if the pages are off. @param origin the address of a server, without a final slash */
export function addressBase(origin: string, { site }: Pick<Config, 'site'>): string {
  return site === null ? `${origin}/api/v1` : origin;
}
