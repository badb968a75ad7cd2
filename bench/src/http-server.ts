// Serves one list of 20 commits on a free port, with Vitrine or with a hand-written handler on the same server. Sends the port to its parent.
import express, { type Express } from 'express';
import { aRepositoryRecord } from '@vitrine/core/testing';
import { openMemoryStore } from '@vitrine/adapters-memory';
import { answerParent } from './child-process.js';
import { busyCommit, clock, refs } from './memory-world.js';
import { COMMITS_PATH, serveVitrine, type VitrineAnswer } from './serve-vitrine.js';

/** The page of a list, read in no time: only the work of the server is measured. */
const COMMITS = 20;

const store = await openMemoryStore({ clock });
const context = { signal: new AbortController().signal };
await store.writer.put(
  refs.map((repositoryRef) => aRepositoryRecord({ repositoryRef })),
  context,
);
await store.writer.put(
  Array.from({ length: COMMITS }, (_, serial) => busyCommit(serial)),
  context,
);

/** Sends the same data as Vitrine, but prepared in advance. */
function handWritten({ data, meta }: VitrineAnswer): Express {
  return express().get(COMMITS_PATH, (_request, response) => {
    response.json({ data, meta });
  });
}

const port = await serveVitrine({ readers: store.readers, approved: refs, clock }, process.argv[2] === 'by-hand' ? handWritten : null);
answerParent({ port }, { stays: true });
