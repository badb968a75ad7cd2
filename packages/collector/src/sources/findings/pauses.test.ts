import { Pauses } from './patch-ids.js';

describe('Pauses', () => {
  it('let the rest of the process go on during a long computation', async () => {
    const pauses = new Pauses();
    let turns = 0;
    setImmediate(() => turns++);
    for (const end = performance.now() + 12; performance.now() < end;) Math.sqrt(turns);
    await pauses.take();
    expect(turns).toBe(1);
  });
});
