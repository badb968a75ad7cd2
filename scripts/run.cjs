'use strict';
// The first file that runs. It uses only the syntax of 2009, so that a Node that is much too old can read it and report that.
var version = process.versions.node;
var parts = version.split('.');
var major = Number(parts[0]);
var minor = Number(parts[1]);

if (major > 20 || (major === 20 && minor >= 19)) {
  require('./commands.cjs')(process.argv[2], process.argv.slice(3));
} else {
  process.stderr.write('Vitrine needs Node 20.19 or later; this is ' + version + '. Install a newer one, for example with: nvm install 22\n');
  process.exitCode = 1;
}
