import { spawn } from 'node:child_process';
import { Socket } from 'node:net';

const WAIT_THEN_CLEAN = 'read -r _; kill -9 "$1"; sleep 1; rm -rf "$2"';

/**
 * Ends a process and removes its folder when this process has ended for any reason: a shell waits for the end of a pipe that only this process holds open.
 * @returns a function that disables the watchdog
 */
export function endWithUs(pid: number, folder: string): () => void {
  const shell = spawn('sh', ['-c', WAIT_THEN_CLEAN, 'sh', String(pid), folder], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  shell.on('error', () => undefined);
  shell.unref();
  if (shell.stdin instanceof Socket) shell.stdin.unref();
  return () => void shell.kill('SIGKILL');
}
