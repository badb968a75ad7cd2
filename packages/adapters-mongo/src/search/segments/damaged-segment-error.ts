/** A block of a segment is missing or invalid. Such a segment is not merged with others: readers should report what is missing, and a merge would lose it for good. */
export class DamagedSegmentError extends Error {
  /** @param segment the id of the segment */
  constructor(readonly segment: string) {
    super(`The segment ${segment} of the search index is damaged. To rebuild the index, run: vitrine store reindex`);
  }
}
