import { type TextRenderer, WorkerTextRenderer } from '@vitrine/pages';

/** Longer than any pause of a busy machine. */
const PATIENCE_MS = 60_000;

const renderer = new WorkerTextRenderer({ startMs: PATIENCE_MS, deadlineMs: PATIENCE_MS, patienceMs: PATIENCE_MS });

/** One for all suites of a process, which no server closes: to start its thread takes longer than to render any text. */
export const RENDERER: TextRenderer = {
  render: (task) => renderer.render(task),
  kept: (task) => renderer.kept(task),
  close: () => Promise.resolve(),
};
