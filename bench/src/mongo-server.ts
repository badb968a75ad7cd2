// Serves lists of 20 commits from a database on a free port: by Vitrine, or by a hand-written route with the driver. Sends the port to its parent.
import express, { type Express } from 'express';
import { MongoClient } from 'mongodb';
import { NOW } from '@vitrine/core/testing';
import { createMongoReaders } from '@vitrine/adapters-mongo';
import { answerParent } from './child-process.js';
import { approvals } from './mongo-commits.js';
import { handWrittenRoute } from './mongo-hand-written.js';
import { COMMITS_PATH, serveVitrine, type VitrineAnswer } from './serve-vitrine.js';

const [uri = '', database, approval = '', kind] = process.argv.slice(2);
const client = await new MongoClient(uri, { readConcern: { level: 'majority' }, maxPoolSize: 20, minPoolSize: 2 }).connect();
const db = client.db(database);
/** Starts at the time of the newest records and then runs, as in production: caches that expire after a while expire here too. */
const clock = { now: () => NOW + Math.trunc(performance.now()) };

/** A route with the rest of Vitrine's answer, so that both send the same bytes. */
function byHand({ meta }: VitrineAnswer): Express {
  return express().get(COMMITS_PATH, handWrittenRoute(db, approval, meta));
}

const parts = { readers: createMongoReaders(db, { clock }), approved: approvals[approval] ?? [], clock };
answerParent({ port: await serveVitrine(parts, kind === 'by-hand' ? byHand : null) }, { stays: true });
