import type { CommandStartedEvent, Db, Document, MongoClient } from 'mongodb';

/** The read commands that a client sends during a call, without the fields of its session. */
export async function commandsOf(client: MongoClient, call: () => Promise<unknown>): Promise<readonly Document[]> {
  const commands: Document[] = [];
  const listen = ({ command, commandName }: CommandStartedEvent) => {
    if (['find', 'aggregate', 'getMore', 'count'].includes(commandName)) commands.push(withoutSession(command));
  };
  client.on('commandStarted', listen);
  try {
    await call();
  } finally {
    client.off('commandStarted', listen);
  }
  return commands;
}

function withoutSession({ lsid: _lsid, $db: _db, $clusterTime: _time, txnNumber: _number, ...command }: Document): Document {
  return command;
}

export interface Explained {
  /** All stages of the plan that was run. */
  readonly stages: ReadonlySet<string>;
  readonly keysExamined: number;
  readonly docsExamined: number;
}

/** How the server runs a command. */
export async function explained(db: Db, command: Document): Promise<Explained> {
  const { maxTimeMS: _unbounded, $readPreference: _preference, ...bare } = command;
  const { executionStages, totalKeysExamined, totalDocsExamined } = statsIn(await db.command({ explain: bare, verbosity: 'executionStats' }));
  return { stages: new Set(stagesOf(executionStages)), keysExamined: totalKeysExamined, docsExamined: totalDocsExamined };
}

function statsIn({ executionStats, stages = [] }: Document): Document {
  if (executionStats !== undefined) return executionStats;
  const [first] = stages;
  if (first === undefined) throw new Error('the server explains nothing');
  return statsIn(first['$cursor']);
}

function stagesOf(stage: Document | undefined): string[] {
  if (stage === undefined) return [];
  const { stage: name, inputStage, inputStages = [], thenStage, elseStage } = stage;
  return [String(name), ...[inputStage, ...inputStages, thenStage, elseStage].flatMap((inner: Document | undefined) => stagesOf(inner))];
}
