import { forgeRequestOf, forgeVariables, variablesOf } from '../samples/forge-requests.js';
import { forgeSamplesOf } from '../samples/forge-samples.js';
import { forgePaths } from './forge-paths.js';

/** An operation of Forge. */
export interface ForgeOperation {
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string | undefined;
}

const methods = ['options', 'post', 'head', 'patch', 'delete', 'get'] as const;

type PathItem = Readonly<Record<string, object>>;
interface Described {
  readonly summary: string;
  readonly description?: string;
}

/** The operations of Forge, for lists of all operations. */
export const forgeOperations: readonly ForgeOperation[] = Object.entries(forgePaths('')).flatMap(
  ([path, item]) =>
    methods
      .filter((name) => name in item)
      .map((name) => {
        const { summary, description } = (item as PathItem)[name] as Described;
        return { method: name.toUpperCase(), path, summary, description };
      }),
);

/** The paths of Forge with samples, and the variables that these read. */
export function forgePathsWithSamples(origin: string): Record<string, object> {
  return mapValues(forgePaths(origin), (item, path) =>
    mapValues(item as PathItem, (value, name) => withSamples(value, name.toUpperCase(), path)),
  );
}

function withSamples(operation: object, method: string, path: string): object {
  const request = forgeRequestOf(method, path);
  if (!request) return operation;
  const { summary, description = `${summary}.` } = operation as Described;
  const variables = variablesOf(request).map((name) => `\`${name}\` is ${forgeVariables[name]}`);
  return {
    ...operation,
    description: `${description}\n\nIn the samples ${variables.join(', and ')}.`,
    'x-codeSamples': forgeSamplesOf(request),
  };
}

function mapValues<T, U>(
  values: Readonly<Record<string, T>>,
  map: (value: T, name: string) => U,
): Record<string, U> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value, name)]));
}
