import type { CopiedFile, CopyPlan } from './copy-plan.js';

/**
 * JSON and feeds hold absolute addresses, too, such as the origin of an incident that was declared here. Those of the site itself are replaced by those of the
 * copy. Pages do that when they are rendered.
 */
export function withOwnAddresses(file: CopiedFile, copy: CopyPlan): CopiedFile {
  const { path, content } = file;
  const own = `${copy.publicUrl}/`;
  if (!content.includes(`"${own}`)) return file;
  const replaced = (address: string): string => {
    const known = address.startsWith(own) ? copy.addressOf(address.slice(own.length - 1)) : null;
    return known === null ? address : copy.publicUrl + known;
  };
  if (path.endsWith('.atom')) return { path, content: Buffer.from(content.toString().replace(/(?<= href=")[^"]*/g, replaced)) };
  return path.endsWith('.json') ? { path, content: Buffer.from(JSON.stringify(JSON.parse(content.toString(), withReplaced(replaced)))) } : file;
}

/** Ids stay: they lead nowhere, and programs know records by them. */
function withReplaced(replaced: (address: string) => string) {
  return (key: string, value: unknown): unknown => (typeof value === 'string' && key !== 'id' ? replaced(value) : value);
}
