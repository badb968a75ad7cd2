/** The public address of an incident. @param base see `addressBase` */
export function incidentAddress(base: string, id: string): string {
  return `${base}/status/incidents/${encodeURIComponent(id)}`;
}
