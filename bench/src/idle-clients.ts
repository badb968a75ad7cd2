// Opens connections to a server, requests a list once on each of them, and keeps them open until its parent ends it.
import { Agent } from 'node:http';
import { answerParent } from './child-process.js';
import { LISTED_SHAS } from './list-store.js';
import { answerOn } from './wire-answer.js';
import { mustBe } from './wrong-answer.js';

/** Few enough for the backlog of the server. */
const AT_A_TIME = 50;

const [url = '', count = ''] = process.argv.slice(2);
const waiting = Array.from({ length: Number(count) }, () => new Agent({ keepAlive: true }));
const agents: Agent[] = [];

async function openEach(): Promise<void> {
  for (let agent = waiting.pop(); agent !== undefined; agent = waiting.pop()) {
    const { status, body } = await answerOn(agent, url);
    mustBe(`list of ${url} on a new connection`, [status, body.toString().split('"sha":').length - 1], [200, LISTED_SHAS.length]);
    agents.push(agent);
  }
}

await Promise.all(Array.from({ length: AT_A_TIME }, openEach));
answerParent({ opened: agents.length }, { stays: true });
