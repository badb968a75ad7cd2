import { statedTime } from '../src/sources/web-text/web-address.js';

console.log(JSON.stringify(process.argv.slice(2).map((text) => statedTime(text, Infinity))));
