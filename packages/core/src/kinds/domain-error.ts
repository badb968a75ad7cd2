export type DomainErrorKind = 'invalid_input' | 'not_found' | 'unavailable';

/** An error of the domain. It does not depend on a transport: only the HTTP app maps errors to status codes. */
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

/** The record does not exist, or its repository is not approved. The error does not reveal which. */
export class NotFoundError extends DomainError {
  constructor() {
    super('not_found', 'NOT_FOUND', 'There is no such public record.');
  }
}

/** An input that the use case cannot accept, such as the abbreviation of two shas. */
export class InvalidInputError extends DomainError {
  constructor(
    /** The name of the input field. */
    readonly field: string,
    /** What is wrong with it. The message begins with the name. */
    readonly detail: string,
  ) {
    super('invalid_input', 'INVALID_PARAMETER', `${field} ${detail}`);
  }
}

/** Required data cannot be read at the moment. */
export class UnavailableError extends DomainError {
  constructor(message = 'A source cannot be read at the moment.') {
    super('unavailable', 'SOURCE_UNAVAILABLE', message);
  }
}
