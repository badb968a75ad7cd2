import { UnavailableError } from '@vitrine/core';
import { StoreFolderError, type StoreFolderProblem } from '../folder/store-folder-error.js';
import type { SentError } from './messages.js';

/** Prepares an error for another thread. */
export function sentError(error: unknown): SentError {
  if (!(error instanceof Error)) return { type: 'Error', message: String(error), details: [] };
  return { type: error.name, message: error.message, details: detailsOf(error) };
}

/** The error with its class, in the thread that receives it. */
export function receivedError({ type, message, details }: SentError): Error {
  const [first, second] = details;
  switch (type) {
    case 'UnavailableError':
      return new UnavailableError(message);
    case 'StoreFolderError':
      return new StoreFolderError((first ?? 'unreadable') as StoreFolderProblem, second ?? '', message);
    default:
      return plainError(type, message);
  }
}

function detailsOf(error: Error): readonly string[] {
  return error instanceof StoreFolderError ? [error.problem, error.folder] : [];
}

function plainError(name: string, message: string): Error {
  const error = new Error(message);
  error.name = name;
  return error;
}
