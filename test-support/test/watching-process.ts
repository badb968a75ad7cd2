import { endWithUs } from '../src/servers/watchdog.js';

endWithUs(Number(process.argv[2]), process.argv[3] ?? '');
console.log('set');
setTimeout(() => undefined, 60_000);
