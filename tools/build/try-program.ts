import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sourceManifest } from './package-manifest.ts';

/** Runs a program of the CLI without a Node in its path, and without the credentials of its user. */
export function runProgram(path: string, words: readonly string[], input = ''): string {
  const home = mkdtempSync(join(tmpdir(), 'vaultsvc-try-'));
  const { VAULTSVC_URL, VAULTSVC_API_KEY } = process.env;
  try {
    const env = { HOME: home, PATH: '', VAULTSVC_URL, VAULTSVC_API_KEY };
    return execFileSync(path, words, { encoding: 'utf8', env, input, cwd: home });
  } finally {
    rmSync(home, { recursive: true });
  }
}

/**
 * Tries a program: version and help, and a Spark where VAULTSVC_URL and VAULTSVC_API_KEY name an API.
 * @throws where it answers anything else than expected
 */
export function tryProgram(path: string): void {
  expect('--version', runProgram(path, ['--version']), `vaultsvc ${sourceManifest('cli').version}\n`);
  if (!runProgram(path, ['--help']).includes('Commands:')) throw new Error('--help prints no commands');
  if (!process.env.VAULTSVC_URL || !process.env.VAULTSVC_API_KEY) return;
  const secret = 'caf\u00e9 \u2192 once';
  const link = runProgram(path, ['send'], secret).trim();
  expect('read', runProgram(path, ['read', link]).trimEnd(), secret);
  console.log(`Sent a Spark and read it by ${new URL(link).origin}.`);
}

function expect(name: string, actual: string, expected: string) {
  if (actual !== expected)
    throw new Error(`${name} prints ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`);
}
