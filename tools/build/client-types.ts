#!/usr/bin/env node
// The types of the client's calls, made from the contracts by openapi-typescript: libs/client/src/generated/api.ts, which is not
// in git. Only type checkers need it; programs and tests run without it. So each command that checks types makes it where it is
// missing or older than the contracts, and so does `npm ci`, for editors.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type {
  OpenAPI3,
  OperationObject,
  PathItemObject,
  ReferenceObject,
  ResponseObject,
} from 'openapi-typescript';

const workspace = fileURLToPath(new URL('../..', import.meta.url));
const typesFile = join(workspace, 'libs/client/src/generated/api.ts');
const document = new URL('./client-document.ts', import.meta.url);

/** Makes the types, unless they are those of the current contracts. Takes three seconds, or a third of one. */
export async function ensureClientTypes() {
  const header = await headerOfInputs();
  if (existsSync(typesFile) && readFileSync(typesFile, 'utf8').startsWith(header)) return;
  await mkdir(dirname(typesFile), { recursive: true });
  // By a rename: another command may read or make it at the same time.
  const temporary = `${typesFile}.${process.pid}`;
  await writeFile(temporary, header + (await clientTypes()));
  await rename(temporary, typesFile);
}

/** The first line of the types, which names the state of everything of which they are made. */
async function headerOfInputs() {
  const { bundledSource } = await import('./load-source.ts');
  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'));
  const hash = createHash('sha256')
    .update(await bundledSource(document))
    .update(readFileSync(fileURLToPath(import.meta.url)))
    .update(version);
  return `// Made from the contracts by tools/build/client-types.ts; inputs ${hash.digest('hex')}\n`;
}

const packageFolder = join(workspace, 'node_modules/openapi-typescript');

/** @returns the types of all calls and of the components */
async function clientTypes(): Promise<string> {
  const [{ default: openapiTS, astToString }, { loadSource }] = await Promise.all([
    import('openapi-typescript'),
    import('./load-source.ts'),
  ]);
  const { clientDocument } = await loadSource(document, 'client');
  const nodes = await openapiTS(callsOf(clientDocument()), {
    alphabetize: true,
    exportType: true,
    // Callers may omit a field that has a default.
    defaultNonNullable: false,
    // An object without fields has any fields.
    emptyObjectsUnknown: true,
  });
  return astToString(nodes);
}

/**
 * The document without what calls do not need: the paths of Forge, whose URLs `upload` and `download` get from the API, and
 * error responses and headers, because each error is an `ApiError`, and examples.
 */
function callsOf({ openapi, info, paths = {}, components = {} }: OpenAPI3): OpenAPI3 {
  const calls = Object.entries(paths).filter(([path]) => /^\/(v1|\.well-known|\{link_code\})\//.test(path));
  return {
    openapi,
    info,
    paths: Object.fromEntries(calls.map(([path, item]) => [path, mapOperations(item, withoutErrors)])),
    components: { schemas: components.schemas, parameters: components.parameters },
  };
}

function mapOperations(
  item: PathItemObject | ReferenceObject,
  change: (operation: OperationObject) => OperationObject,
): PathItemObject {
  const isOperation = (value: unknown): value is OperationObject =>
    typeof value === 'object' && value !== null && 'responses' in value;
  return Object.fromEntries(
    Object.entries(item).map(([key, value]) => [key, isOperation(value) ? change(value) : value]),
  );
}

function withoutErrors(operation: OperationObject): OperationObject {
  const successes = Object.entries(operation.responses ?? {}).filter(([status]) => status.startsWith('2'));
  const responses = successes.map(([status, response]) => [status, withoutHeaders(response)]);
  return JSON.parse(
    JSON.stringify({ ...operation, responses: Object.fromEntries(responses) }, (key, value) =>
      key === 'example' || key === 'examples' ? undefined : value,
    ),
  );
}

function withoutHeaders(response: ResponseObject | ReferenceObject) {
  if ('$ref' in response) return response;
  const { description, content } = response;
  return { description, content };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  // An installation without the development packages has no compiler that would read the types.
  if (existsSync(packageFolder)) await ensureClientTypes();
}
