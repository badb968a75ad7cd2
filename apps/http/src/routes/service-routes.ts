import type { PathParameter } from '../requests/path-parameters.js';
import { indexSchema, livenessSchema, openApiSchema, readinessSchema } from '../schemas/service.js';
import type { PlainRoute } from './route.js';

const slugParameter: PathParameter = {
  name: 'slug',
  description: 'The code in lower case, with hyphens.',
  schema: { type: 'string', pattern: '^[a-z]+(-[a-z]+)*$' },
  example: 'invalid-parameter',
  isWellFormed: (text) => /^[a-z]+(-[a-z]+)*$/.test(text),
};

type PlainFacts = Omit<PlainRoute, 'kind' | 'tag' | 'type' | 'pathParameters' | 'isStatic'> &
  Partial<Pick<PlainRoute, 'type' | 'pathParameters' | 'isStatic'>>;

const plain = (facts: PlainFacts): PlainRoute => ({
  kind: 'plain',
  tag: 'Service',
  type: 'application/json',
  pathParameters: [],
  isStatic: true,
  ...facts,
});

export const serviceRoutes = {
  getIndex: plain({
    id: 'getIndex',
    path: '/',
    summary: 'Get the index of the service',
    description: 'Where to go from here. A browser, which prefers `text/html`, gets the overview as a page.',
    hasPage: true,
    schema: indexSchema,
    answers: { 200: 'The index.' },
  }),
  getOpenApi: plain({
    id: 'getOpenApi',
    path: '/openapi.json',
    summary: 'Get this document',
    description: 'This document, made from the table that the service routes by.',
    schema: openApiSchema,
    answers: { 200: 'The document.' },
  }),
  getLiveness: plain({
    id: 'getLiveness',
    isStatic: false,
    path: '/livez',
    summary: 'Ask whether the process runs',
    description: 'Says nothing about the store.',
    schema: livenessSchema,
    answers: { 200: 'It runs.' },
  }),
  getReadiness: plain({
    id: 'getReadiness',
    isStatic: false,
    path: '/readyz',
    summary: 'Ask whether the process takes traffic',
    description:
      '503 until the store could be read for the first time, and while the process stops. A store that is lost later, or cannot be written, does not change the status: the body then says `degraded`.',
    schema: readinessSchema,
    answers: { 200: 'It does.', 503: 'Not yet, or not any more.' },
  }),
  getProblem: plain({
    id: 'getProblem',
    path: '/problems/{slug}',
    summary: 'Read about a problem code',
    description: 'A short text about the code: the `type` of its problems leads here.',
    pathParameters: [slugParameter],
    type: 'text/plain',
    schema: null,
    answers: { 200: 'The text.' },
  }),
} as const;
