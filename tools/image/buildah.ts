import { spawnSync } from 'node:child_process';
import { workspace } from '../stack/settings.ts';

const OUTPUT_BYTES_MAX = 64 * 2 ** 20;

/**
 * Runs a program in the workspace.
 * @returns its standard output
 * @throws with the end of what it wrote
 */
export function command(name: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): string {
  const options = { cwd: workspace, env, encoding: 'utf8', maxBuffer: OUTPUT_BYTES_MAX } as const;
  const { status, stdout, stderr, error } = spawnSync(name, args, options);
  if (status === 0) return stdout;
  const end = `${stdout ?? ''}${stderr ?? ''}`.trim().split('\n').slice(-20).join('\n');
  throw new Error(`${name} ${args[0]}: ${error?.message ?? end}`);
}

/** Buildah needs no daemon, and in this form no rights beyond those of root in a container: no overlay file system, no namespaces. */
export function buildah(args: readonly string[]): string {
  const env = { ...process.env, BUILDAH_ISOLATION: 'chroot', STORAGE_DRIVER: 'vfs' };
  return command('buildah', args, env);
}
