import { MONGODB_URI, type Environment } from '@vitrine/config';
import { devNull } from 'node:os';

/** What may pass from the caller's environment to a git that talks to another machine: how to reach it and how to prove who one is. */
const NETWORK = /^GIT_(SSH|SSH_COMMAND|SSH_VARIANT|SSL_.*|HTTP_.*|PROXY_.*|CONFIG_.*|EXEC_PATH)$/;

const ALWAYS = { LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0', GIT_ASKPASS: '', GIT_OPTIONAL_LOCKS: '0', GIT_ATTR_NOSYSTEM: '1' } as const;

/**
 * The environment of a git that only reads a repository on this machine: the same answers for every user, since neither their configuration
 * nor replaced objects count, and no connection, not even for the missing objects of a partial clone.
 */
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

/** The environment of a git that clones: the user's own configuration and credential helpers count, but nothing ever asks a person. */
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

/** Variables such as `GIT_DIR`, which a hook sets, would lead git to another repository; and the database's password is no matter of git. */
function withoutGit(environment: Environment, kept: RegExp): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => (name.startsWith('GIT_') ? kept.test(name) : name !== MONGODB_URI)));
}
