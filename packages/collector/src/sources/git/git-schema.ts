import { branchPattern, duration, gitLocation, label, list, object, oneOf, parsed, remoteName, repositoryAddress } from '@vitrine/config/internal';
import { FORGES, INTERVALS, LOCAL, orNull, readGitLocation, repositoryName, scoped, yesOrNo } from '@vitrine/config/internal';
import { repositoryRefOf } from '@vitrine/core';
import { z } from 'zod';

const MOST_PATTERNS = 100;

const branchList = list('the word local, or a list of branches and patterns such as [main, "release/*"]', branchPattern, MOST_PATTERNS, 1);

const branches = z.unknown().transform((value, context) => (value === LOCAL ? LOCAL : parsed(branchList, value, context)));

/** Its part of `vitrine.yaml`. */
export const gitSchema = object('an object with git, repository and url, or with another kind of source', {
  git: gitLocation,
  repository: repositoryName,
  url: repositoryAddress,
  label: label.exactOptional(),
  forge: orNull(oneOf(FORGES)),
  remote: orNull(remoteName),
  branches: orNull(branches),
  findings: yesOrNo.default(false),
  interval: duration(...INTERVALS).prefault('5m'),
}).transform(({ git: location, repository, url, interval: intervalMs, label: given, ...keys }) =>
  scoped(
    repository,
    ({ forgeId, ...name }, { located }) => [
      {
        kind: 'git',
        location: readGitLocation(location).kind === 'address' ? location : located(location),
        ref: repositoryRefOf(name, forgeId),
        name,
        url,
        label: given ?? new URL(url).hostname,
        ...keys,
        intervalMs,
      },
    ],
    true,
  ),
);
