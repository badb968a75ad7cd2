import { MessageTurns } from './store-thread.js';

const nextTurn = () => new Promise(setImmediate);

describe('messages of a thread', () => {
  it('are passed on in order, one in each turn of the event loop', async () => {
    const passed: number[] = [];
    const turns = new MessageTurns<number>((message) => passed.push(message));
    for (const message of [1, 2, 3]) turns.receive(message);
    expect(passed).toEqual([1]);
    await nextTurn();
    turns.receive(4);
    expect(passed).toEqual([1, 2]);
    while (passed.length < 4) await nextTurn();
    await nextTurn();
    turns.receive(5);
    expect(passed).toEqual([1, 2, 3, 4, 5]);
  });
});
