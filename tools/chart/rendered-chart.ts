import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { chartFolder, helm } from './helm.ts';

/** A rendered object of Kubernetes. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly labels?: Record<string, string>;
    readonly annotations?: Record<string, string>;
  };
  // oxlint-disable-next-line typescript/no-explicit-any -- the validators check its content
  readonly spec?: any;
}

/** The value sets in deploy/chart/ci. */
export const valueSets = [
  'minimal',
  'production',
  'external-secrets',
  'existing-secrets',
  'one-process',
] as const;

// oxlint-disable-next-line typescript/no-explicit-any -- tests change single members
export type Values = Record<string, any>;

export type ValueSet = (typeof valueSets)[number];

export function valuesFileOf(set: ValueSet): string {
  return join(chartFolder, 'ci', `${set}-values.yaml`);
}

export function readValues(set: ValueSet): Values {
  return parse(readFileSync(valuesFileOf(set), 'utf8'));
}

/**
 * The objects of a release named `example`.
 * @throws with Helm's message in `stderr` for values that are refused
 */
export async function render(values: Values): Promise<KubernetesObject[]> {
  const command = ['template', 'example', chartFolder, '--values', '-'];
  const documents = parseAllDocuments(await helm(command, JSON.stringify(values)));
  if (!Array.isArray(documents)) return [];
  const problems = documents.flatMap(({ errors, warnings }) => [...errors, ...warnings]);
  if (problems[0]) throw problems[0];
  return documents.map((document) => document.toJS()).filter((object) => object !== null);
}

/** The template of the pods that an object makes, if it makes any. */
export function podOf({ kind, spec }: KubernetesObject) {
  return kind === 'Pod' ? spec : spec?.template?.spec;
}
