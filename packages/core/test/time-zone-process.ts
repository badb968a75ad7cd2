import { timeZoneResults } from './time-zone-results.js';

console.log(timeZoneResults());
