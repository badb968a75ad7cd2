// Started by sqlite-start.ts. Opens a store, answers the first requests, and sends the answers.
import { Allowlist, createUseCases } from '@vitrine/core';
import { NOW } from '@vitrine/core/testing';
import { openSqliteStore } from '@vitrine/adapters-sqlite';
import { answerParent } from './child-process.js';
import type { FirstAnswers } from './sqlite-start.js';

const LIMIT = 20;
const [, , path = '', q = '', ...approved] = process.argv;
const clock = { now: () => NOW };
const context = { approved: Allowlist.of(...approved).approved(), signal: new AbortController().signal };
const store = await openSqliteStore({ clock, path });
const { listCommits, search, getStatus } = createUseCases(store.readers, { clock });
const input = { limit: LIMIT, after: null, from: null, to: null, repository: null, branch: null, author: null, changeType: null };
const [list, found, status] = await Promise.all([
  listCommits.execute(input, context),
  search.execute({ q, types: [], limit: LIMIT, after: null }, context),
  getStatus.execute({}, context),
]);
const { services } = status.data;
const answers: FirstAnswers = {
  shas: list.data.items.map(({ record }) => record.sha),
  found: found.data.items.map(({ id }) => id.slice(id.indexOf('@') + 1)),
  states: services.map(({ currentState }) => currentState),
  checks: services.reduce((sum, { checksTracked }) => sum + checksTracked, 0),
  residentMb: process.memoryUsage.rss() / 2 ** 20,
};
answerParent(answers);
await store.close();
