// Serves lists of 20 commits from a database on a free port, with Vitrine or with a hand-written route. Sends the port to its parent.
import express, { type Express } from 'express';
import { MongoClient } from 'mongodb';
import { NOW } from '@vitrine/core/testing';
import { createMongoReaders } from '@vitrine/adapters-mongo';
import { answerParent } from './child-process.js';
import { approvals } from './mongo-commits.js';
import { handWrittenRoute } from './mongo-hand-written.js';
import type { VitrineAnswer } from './serve-vitrine.js';

const [uri = '', database, approval = '', kind] = process.argv.slice(2);
const client = await new MongoClient(uri, { readConcern: { level: 'majority' }, maxPoolSize: 20, minPoolSize: 2 }).connect();
const db = client.db(database);
/** The time continues from that of the newest records, as in production, so that cache entries expire. */
const clock = { now: () => NOW + Math.trunc(performance.now()) };

const readers = { ...createMongoReaders(db, { clock }), search: { search: () => Promise.reject(new Error('no search')) } };
// As the server does: its modules load while the store reads.
const { COMMITS_PATH, serveVitrine } = await import('./serve-vitrine.js');

/** A route that sends the same bytes as Vitrine. */
function byHand({ meta }: VitrineAnswer): Express {
  return express().get(COMMITS_PATH, handWrittenRoute(db, approval, meta));
}

const parts = { readers, approved: approvals[approval] ?? [], clock };
answerParent({ port: await serveVitrine(parts, kind === 'by-hand' ? byHand : null) }, { stays: true });
