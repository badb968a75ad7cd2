import { devNull } from 'node:os';
import { MONGODB_URI, type Environment } from '@vitrine/config';
import type { GitCall } from './git-process.js';

/** How git runs for a source, whatever it does. */
export type GitProcessOptions = Pick<GitCall, 'environment' | 'timeoutMs' | 'signal'>;

/** Variables that a git process with network access may inherit: how to connect and how to authenticate. */
const NETWORK = /^GIT_(SSH|SSH_COMMAND|SSH_VARIANT|SSL_.*|HTTP_.*|PROXY_.*|CONFIG_.*|EXEC_PATH)$/;

const ALWAYS = { LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0', GIT_ASKPASS: '', GIT_OPTIONAL_LOCKS: '0', GIT_ATTR_NOSYSTEM: '1' } as const;

/** For git that only reads a local repository: the same output for every user, and no connection, not even for the missing objects of a partial clone. */
export function readingEnvironment(environment: Environment): Environment {
  return {
    ...withoutGit(environment, /^GIT_EXEC_PATH$/),
    ...ALWAYS,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: devNull,
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_GRAFT_FILE: devNull,
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
  };
}

/** For git that clones: with the configuration and the credential helpers of the user, but without questions to a person. */
export function networkEnvironment(environment: Environment): Environment {
  const ssh =
    environment['GIT_SSH'] === undefined ? { GIT_SSH_COMMAND: environment['GIT_SSH_COMMAND'] ?? 'ssh -o BatchMode=yes -o ConnectTimeout=30' } : {};
  return {
    ...withoutGit(environment, NETWORK),
    ...ALWAYS,
    ...ssh,
    SSH_ASKPASS: '',
    SSH_ASKPASS_REQUIRE: 'never',
    GCM_INTERACTIVE: 'never',
    GIT_ALLOW_PROTOCOL: 'http:https:ssh:git:file',
  };
}

/** Removes variables such as `GIT_DIR`, which a hook sets and which would make git use another repository. Also removes the connection string of the database. */
function withoutGit(environment: Environment, kept: RegExp): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => (name.startsWith('GIT_') ? kept.test(name) : name !== MONGODB_URI)));
}
