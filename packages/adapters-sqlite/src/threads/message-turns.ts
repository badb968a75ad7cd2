/**
 * Passes on one message in each turn of the event loop. Node.js delivers all messages that have arrived in one turn. Each result of a search becomes a whole answer,
 * so many of them at once would keep other requests waiting.
 */
export class MessageTurns<Message> {
  readonly #pass: (message: Message) => void;
  readonly #waiting: Message[] = [];
  #isTurnTaken = false;

  constructor(pass: (message: Message) => void) {
    this.#pass = pass;
  }

  receive(message: Message): void {
    if (this.#isTurnTaken) this.#waiting.push(message);
    else this.#take(message);
  }

  #take(message: Message): void {
    this.#isTurnTaken = true;
    setImmediate(() => {
      this.#isTurnTaken = false;
      const next = this.#waiting.shift();
      if (next !== undefined) this.#take(next);
    });
    this.#pass(message);
  }
}
