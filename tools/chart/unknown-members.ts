import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { workspace } from '../stack/settings.ts';
import type { KubernetesObject } from './rendered-chart.ts';

/** Packages with the types of groups that Kubernetes itself does not have. */
const packages: Readonly<Record<string, string>> = {
  'gateway.networking.k8s.io': '@kubernetes-models/gateway-api',
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator',
  'external-secrets.io': '@kubernetes-models/external-secrets',
};

const options = [
  '--noEmit',
  '--strict',
  '--skipLibCheck',
  '--target',
  'es2023',
  '--module',
  'nodenext',
  '--ignoreConfig',
];

/**
 * The members of objects that their types do not have. The API server ignores a misspelt member with a warning, and the validators of
 * kubernetes-models without one; TypeScript refuses it in a literal.
 * @returns the errors of the compiler, each with a line of its own
 */
export async function unknownMembers(objects: readonly KubernetesObject[]): Promise<string[]> {
  const cache = join(workspace, '.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'chart-types-'));
  try {
    const file = join(folder, 'objects.ts');
    writeFileSync(file, objects.map(asLiteral).join('\n'));
    const compiler = join(workspace, 'node_modules/.bin/tsc');
    const { stdout } = await promisify(execFile)(compiler, [...options, file], { cwd: folder }).catch(
      failedCompilation,
    );
    return stdout.split('\n').filter((line) => line !== '');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function asLiteral(object: KubernetesObject, index: number) {
  const { apiVersion, kind } = object;
  const source = `${packages[apiVersion.split('/')[0] ?? ''] ?? 'kubernetes-models'}/${apiVersion}`;
  const type = `I${kind}`;
  return `import type { ${type} as T${index} } from '${source}';\nexport const o${index}: T${index} = ${JSON.stringify(object)};`;
}

/** The compiler prints errors of types on standard output and exits with 1 or 2. */
function failedCompilation(error: unknown): { stdout: string } {
  const { stdout } = error as { stdout?: string };
  if (stdout) return { stdout };
  throw error;
}
