import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

type Json = Readonly<Record<string, unknown>>;

interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly Json[];
  readonly responses: Readonly<Record<string, unknown>>;
}

/** It compiles the schema of OpenAPI once. */
const validator = new Validator();

/** What an OpenAPI 3.1 document gets wrong: against the specification, and against what its readers need. Empty when it is right. */
export async function openApiFaults(document: Json): Promise<readonly string[]> {
  const { valid, errors } = await validator.validate(structuredClone(document));
  const formal = valid ? [] : [`it is no OpenAPI document: ${JSON.stringify(errors)}`];
  return [...formal, ...referenceFaults(document), ...operationFaults(document), ...exampleFaults(document)];
}

function objectsIn(value: unknown, pointer = ''): readonly (readonly [pointer: string, object: Json])[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.entries(value).flatMap(([key, field]) =>
    key === 'example' || key === 'examples' ? [] : objectsIn(field, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  );
  return [[pointer, value as Json], ...inner];
}

function referenceFaults(document: Json): readonly string[] {
  const objects = objectsIn(document);
  const known = new Set(objects.map(([pointer]) => `#${pointer}`));
  const named = new Set(objects.map(([, object]) => object['$ref']).filter((reference) => typeof reference === 'string'));
  const components = [...known].filter((pointer) => /^#\/components\/[^/]+\/[^/]+$/.test(pointer) && !pointer.includes('/securitySchemes/'));
  return [
    ...[...named].filter((reference) => !known.has(reference)).map((reference) => `nothing stands at ${reference}`),
    ...components.filter((pointer) => !named.has(pointer)).map((pointer) => `nothing uses ${pointer}`),
  ];
}

const METHODS = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']);

function operationFaults(document: Json): readonly string[] {
  const tags = new Set((document['tags'] as readonly { name: string }[]).map(({ name }) => name));
  const ids = new Set<string>();
  const operations = Object.entries(document['paths'] as Readonly<Record<string, Readonly<Record<string, Operation>>>>).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) => (METHODS.has(method) ? [{ path, operation }] : [])),
  );
  return operations.flatMap(({ path, operation }) => {
    const { operationId = '', summary = '', tags: own = [], responses } = operation;
    const parameters = (operation.parameters ?? []).map((parameter) => sharedIn(document, parameter));
    const isNew = !ids.has(operationId);
    ids.add(operationId);
    const statuses = Object.keys(responses);
    const placeholders = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();
    const described = parameters.flatMap((parameter) => (parameter['in'] === 'path' ? [parameter['name']] : [])).sort();
    const rules = [
      [/^[A-Za-z][A-Za-z0-9_-]*$/.test(operationId), 'no operationId that a client can use as a name'],
      [isNew, 'the operationId of another operation'],
      [summary !== '', 'no summary'],
      [own.length > 0 && own.every((tag) => tags.has(tag)), 'no tag, or one that the document does not describe'],
      [statuses.some((status) => /^2/.test(status)), 'no answer of success'],
      [statuses.some((status) => /^4/.test(status)), 'no answer of 4xx'],
      [JSON.stringify(placeholders) === JSON.stringify(described), 'other path parameters than its path'],
    ] as const;
    return rules.flatMap(([isKept, fault]) => (isKept ? [] : [`${path} has ${fault}`]));
  });
}

/** A parameter that several operations share stands in the components. */
function sharedIn(document: Json, parameter: Json): Json {
  const name = /^#\/components\/parameters\/(.+)$/.exec(String(parameter['$ref']))?.[1] ?? '';
  const { parameters = {} } = document['components'] as { readonly parameters?: Readonly<Record<string, Json>> };
  return parameters[name] ?? parameter;
}

/** Examples that their own schema refuses, wherever the two stand side by side, and inside of schemas. */
function exampleFaults(document: Json): readonly string[] {
  const ajv = new Ajv2020({ strict: false, allErrors: true, inlineRefs: false, code: { optimize: false } });
  formats.default(ajv);
  ajv.addSchema({ $id: 'https://vitrine.example/document', ...document });
  return objectsIn(document).flatMap(([pointer, object]) => {
    const [schema, examples] = 'schema' in object ? [`${pointer}/schema`, [object['example']]] : [pointer, inSchema(object)];
    const shown = examples.filter((example) => example !== undefined);
    if (shown.length === 0) return [];
    try {
      const validate = ajv.compile({ $ref: `https://vitrine.example/document#${schema.split('/').map(encodeURIComponent).join('/')}` });
      return shown.flatMap((example) =>
        validate(example) ? [] : [`the example at ${pointer} breaks its schema: ${ajv.errorsText(validate.errors)}`],
      );
    } catch (error) {
      return [`the schema at ${schema} cannot be used: ${String(error)}`];
    }
  });
}

const inSchema = ({ type, examples }: Json): readonly unknown[] => (type !== undefined && Array.isArray(examples) ? (examples as unknown[]) : []);
