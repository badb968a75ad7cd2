import type { RecordKind } from '@vitrine/core';
import { BSON, type Document } from 'mongodb';
import { BadValue } from '../documents/codec.js';
import type { DecodedDocuments } from './decoded-documents.js';
import { NOT_UTF_8, usable } from './decoding.js';
import { lenient } from './find-documents.js';
import type { QuarantineMonitor } from './quarantine.js';

interface MeaningsContext {
  readonly monitor: QuarantineMonitor;
  readonly decodedDocuments: DecodedDocuments;
}

interface DocumentDecoder<Meaning> {
  toRecord(document: Document): Meaning | BadValue;
}

/** Decodes the documents of one kind, unless {@link DecodedDocuments} has them. */
export class Meanings<Meaning extends object> {
  readonly #kind: RecordKind;
  readonly #context: MeaningsContext;
  readonly #decoder: DocumentDecoder<Meaning>;
  readonly #number: number;

  constructor(kind: RecordKind, context: MeaningsContext, decoder: DocumentDecoder<Meaning>) {
    this.#kind = kind;
    this.#context = context;
    this.#decoder = decoder;
    this.#number = context.decodedDocuments.numberOf(decoder);
  }

  /** Decodes documents. Invalid ones are reported and left out. */
  of(found: readonly Uint8Array[]): Meaning[] {
    const { monitor, decodedDocuments } = this.#context;
    return usable(this.#kind, found, monitor, (bytes) => decodedDocuments.decoded(this.#number, bytes, this.#decoded), lenient);
  }

  readonly #decoded = (bytes: Uint8Array): Meaning | BadValue => {
    try {
      return this.#decoder.toRecord(BSON.deserialize(bytes));
    } catch (error) {
      if (BSON.BSONError.isBSONError(error)) return NOT_UTF_8;
      throw error;
    }
  };
}
