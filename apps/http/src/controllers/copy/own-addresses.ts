import type { CopyPlan } from './copy-plan.js';

/**
 * JSON and feeds hold absolute addresses, too, such as the origin of an incident that was declared here. Those of the site itself are replaced by those of the
 * copy. Pages do that when they are rendered.
 */
export function withOwnAddresses(path: string, body: Buffer, copy: CopyPlan): Buffer {
  const own = `${copy.publicUrl}/`;
  if (!body.includes(`"${own}`)) return body;
  const replaced = (address: string): string => {
    const known = address.startsWith(own) ? copy.addressOf(address.slice(own.length - 1)) : null;
    return known === null ? address : copy.publicUrl + known;
  };
  if (path.endsWith('.atom')) return Buffer.from(body.toString().replace(/(?<= href=")[^"]*/g, replaced));
  return path.startsWith('/api/') || path.endsWith('.json') ? Buffer.from(JSON.stringify(JSON.parse(body.toString(), withReplaced(replaced)))) : body;
}

/** Ids stay: they lead nowhere, and programs know records by them. */
function withReplaced(replaced: (address: string) => string) {
  return (key: string, value: unknown): unknown => (typeof value === 'string' && key !== 'id' ? replaced(value) : value);
}
