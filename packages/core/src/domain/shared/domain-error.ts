export type DomainErrorKind = 'invalid_input' | 'not_found' | 'unavailable';

/** A refusal of the domain. It knows no transport: the HTTP app holds the only table of status codes. */
export class DomainError extends Error {
  constructor(
    readonly kind: DomainErrorKind,
    /** Stable, for programs; the message is for people. */
    readonly code: string,
    message: string,
  ) {
    super(message);
    this.name = new.target.name;
  }
}

/** No such public record: it does not exist, or its repository is not approved. Nobody can tell which. */
export class NotFoundError extends DomainError {
  constructor() {
    super('not_found', 'NOT_FOUND', 'There is no such public record.');
  }
}

/** An input that only the store shows to be wrong. */
export class InvalidInputError extends DomainError {
  constructor(
    /** The input's field. */
    readonly field: string,
    message: string,
  ) {
    super('invalid_input', 'INVALID_PARAMETER', message);
  }
}

/** What had to be read cannot be read now. */
export class UnavailableError extends DomainError {
  constructor(message = 'A source cannot be read at the moment.') {
    super('unavailable', 'SOURCE_UNAVAILABLE', message);
  }
}
