import type { PublicOperation } from '@vaultsvc/contracts';
import type { Platform } from '@vaultsvc/tools-testing/platform';
import { Violation, type Answer } from './answer.js';

/** The statuses of each path and method in the API reference. */
type Paths = Readonly<Record<string, Readonly<Record<string, { readonly responses: object }>>>>;

const references = new WeakMap<Platform, Promise<Paths>>();

/** Throws when the API reference does not list the status for this operation. */
export async function assertDocumented(
  platform: Platform,
  { name, http }: PublicOperation,
  { status }: Answer,
): Promise<void> {
  const paths = await referenceOf(platform);
  const responses = paths[http.path]?.[http.method.toLowerCase()]?.responses ?? {};
  if (!(String(status) in responses)) throw new Violation(`the reference of ${name} does not list ${status}`);
}

function referenceOf(platform: Platform): Promise<Paths> {
  const known = references.get(platform) ?? readReference(platform);
  references.set(platform, known);
  return known;
}

async function readReference({ url }: Platform): Promise<Paths> {
  const response = await fetch(`${url}/v1/openapi.json`);
  return ((await response.json()) as { paths: Paths }).paths;
}
