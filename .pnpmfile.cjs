'use strict';
/** The packages of libsql do not say for which C library they are built. Without that, both variants would be installed, 10 MB each. */
const LIBC = { gnu: 'glibc', gnueabihf: 'glibc', musl: 'musl', musleabihf: 'musl' };

function readPackage(manifest) {
  const [, variant] = /^@libsql\/linux-.+-([a-z]+)$/.exec(manifest.name ?? '') ?? [];
  if (LIBC[variant] !== undefined) manifest.libc = [LIBC[variant]];
  return manifest;
}

module.exports = { hooks: { readPackage } };
