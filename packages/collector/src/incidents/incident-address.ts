/** The public address of an incident. @param origin the address of a server, without a final slash */
export function incidentAddress(origin: string, id: string): string {
  return `${origin}/api/v1/status/incidents/${encodeURIComponent(id)}`;
}
