#!/usr/bin/env node
// npm test: everything that CI runs, in order, and a last line of totals.
//   npm test -- libs/crypto              lint, format, types and specs of these folders or files only
//   npm test -- --only lint,types        these steps only: lint format types docs build tests
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { hasNodeModules, installNodeModules } from '../stack/node-modules.mjs';
import { runChild, stopOnSignals } from './children.mjs';
import { jestTotals } from './jest-totals.mjs';

const stepNames = ['lint', 'format', 'types', 'docs', 'build', 'tests'];

/** @returns {{ paths: string[], only: string[] }} */
function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { only: { type: 'string' } },
  });
  const ofPaths = positionals.length > 0 ? ['lint', 'format', 'types', 'tests'] : stepNames;
  const only = values.only?.split(',') ?? ofPaths;
  const unknown = only.find((name) => !stepNames.includes(name));
  if (unknown) throw new Error(`Unknown step ${unknown}. Known: ${stepNames.join(', ')}`);
  return { paths: positionals, only };
}

/** @param {string[]} paths */
function commandsFor(paths) {
  const where = paths.length > 0 ? paths : ['.'];
  return {
    lint: ['eslint', '--no-warn-ignored', '--pass-on-no-patterns', ...where],
    format: ['prettier', '--check', '--ignore-unknown', '--log-level=warn', ...where],
    types: ['tools/test/types.mjs'],
    docs: ['tools/docs/generate.mjs', '--check'],
    build: ['nx', 'run-many', '-t', 'build', '--outputStyle=static'],
  };
}

/** @typedef {{ passed: number, failed: number }} Totals */

/**
 * A step that passes or fails as one; what it printed is shown only when it failed.
 * @param {string} name
 * @param {string[]} command
 * @returns {Promise<Totals>}
 */
async function check(name, command) {
  const began = Date.now();
  process.stdout.write(`  ${name.padEnd(8)}`);
  const { code, output } = await runChild(command, { isQuiet: true });
  process.stdout.write(`${code === 0 ? 'passed' : 'FAILED'}  ${seconds(began)}\n`);
  if (code !== 0) process.stdout.write(`${output.trim()}\n\n`);
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

/**
 * All specs, races, the fuzzer and the journeys: one run of Jest, which starts the servers that they need.
 * @param {string[]} paths
 * @returns {Promise<Totals>}
 */
async function tests(paths) {
  const began = Date.now();
  const results = join(tmpdir(), `vaultsvc-results-${process.pid}.json`);
  process.stdout.write('  tests\n');
  const { code } = await runChild(['jest', '--json', `--outputFile=${results}`, ...paths], {
    NODE_OPTIONS: '--experimental-vm-modules --no-warnings',
  });
  const totals = jestTotals(read(results), code);
  rmSync(results, { force: true });
  process.stdout.write(
    `  ${'tests'.padEnd(8)}${totals.failed === 0 ? 'passed' : 'FAILED'}  ${seconds(began)}\n`,
  );
  return totals;
}

/** @param {string} path */
function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined; // Jest ended before it could report; its exit code counts as the failure.
  }
}

/** @param {number} beganMs */
function seconds(beganMs) {
  return `${((Date.now() - beganMs) / 1000).toFixed(1)} s`;
}

async function install() {
  const began = Date.now();
  process.stdout.write('  install ');
  await installNodeModules();
  process.stdout.write(`passed  ${seconds(began)}\n`);
}

async function main() {
  const { paths, only } = readArguments();
  stopOnSignals();
  if (!hasNodeModules()) await install();
  const commands = Object.entries(commandsFor(paths)).filter(([name]) => only.includes(name));
  const totals = { passed: 0, failed: 0 };
  const add = (/** @type {Totals} */ { passed, failed }) => {
    totals.passed += passed;
    totals.failed += failed;
  };
  for (const [name, command] of commands) add(await check(name, command));
  if (only.includes('tests')) add(await tests(paths));
  process.stdout.write(`\n${totals.passed} passed, ${totals.failed} failed\n`);
  process.exitCode = totals.failed === 0 ? 0 : 1;
}

await main().catch((error) => {
  process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`);
  process.stdout.write('\n0 passed, 1 failed\n');
  process.exitCode = 1;
});
