import { once } from 'node:events';
import { connect } from 'node:net';
import { BSON, type Db, type Document } from 'mongodb';

const OP_MSG = 2013;

/** Stores a document in which every `marker` is replaced by invalid UTF-8. It bypasses the encoding of the driver, which cannot write such bytes. */
export async function insertDamaged(db: Db, collection: string, document: Document, marker: string): Promise<void> {
  const body = Buffer.from(BSON.serialize({ insert: collection, documents: [document], $db: db.databaseName }));
  for (let at = body.indexOf(marker); at >= 0; at = body.indexOf(marker)) body.fill(0xff, at, at + marker.length);
  const message = Buffer.alloc(21 + body.length);
  message.writeInt32LE(message.length, 0);
  message.writeInt32LE(1, 4);
  message.writeInt32LE(OP_MSG, 12);
  body.copy(message, 21);
  const [host = '127.0.0.1', port] = (db.client.options.hosts[0]?.toString() ?? '').split(':');
  const socket = connect(Number(port), host);
  socket.write(message);
  const [reply] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  const answer = BSON.deserialize(reply.subarray(21));
  if (answer['n'] !== 1) throw new Error(`not stored: ${JSON.stringify(answer)}`);
}
