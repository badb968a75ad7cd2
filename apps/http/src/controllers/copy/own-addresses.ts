import type { CopiedFile, CopyPlan } from './copy-plan.js';

/**
 * JSON and feeds hold absolute addresses, too, such as the origin of an incident that was declared here. Those of the site itself are replaced by those of the
 * copy. If the copy has no such file, as for the health check of a server, the origin is the copy as a whole. Pages do that when they are rendered.
 */
export function withOwnAddresses(file: CopiedFile, copy: CopyPlan): CopiedFile {
  const { path, content } = file;
  const own = `${copy.publicUrl}/`;
  if (!content.includes(`"${own}`)) return file;
  const known = (address: string): string | null => {
    const found = address.startsWith(own) ? copy.addressOf(address.slice(own.length - 1)) : address;
    return found === null || found === address ? found : copy.publicUrl + found;
  };
  if (path.endsWith('.atom')) return { path, content: Buffer.from(content.toString().replace(/(?<= href=")[^"]*/g, (href) => known(href) ?? own)) };
  if (!path.endsWith('.json')) return file;
  const data: unknown = JSON.parse(content.toString(), (name, value: unknown) => {
    // Ids stay: they lead nowhere, and programs know records by them.
    if (typeof value !== 'string' || name === 'id') return value;
    return known(value) ?? (ORIGINS.has(name) ? own : value);
  });
  return { path, content: Buffer.from(JSON.stringify(data)) };
}

const ORIGINS: ReadonlySet<string> = new Set(['sourceUrl', 'url', 'external_url']);
