import type { Incident, IncidentQuery, IncidentReader, Instant, ReadContext, TimePage } from '@vitrine/core';

/** Reads incidents for pages, feeds and the calendar, with the texts of Vitrine in the language of the site. */
export class LocalizedIncidentReader implements IncidentReader {
  constructor(
    private readonly incidents: IncidentReader,
    private readonly localized: (incident: Incident) => Incident,
  ) {}

  async list(query: IncidentQuery, context: ReadContext): Promise<TimePage<Incident>> {
    const page = await this.incidents.list(query, context);
    return { ...page, items: page.items.map(this.localized) };
  }

  async byId(id: string, context: ReadContext): Promise<Incident | null> {
    const incident = await this.incidents.byId(id, context);
    return incident === null ? null : this.localized(incident);
  }

  async unresolved(notAfter: Instant, context: ReadContext): Promise<readonly Incident[]> {
    return (await this.incidents.unresolved(notAfter, context)).map(this.localized);
  }
}
