'use strict';
const { spawn } = require('node:child_process');
const { readFileSync } = require('node:fs');
const { constants } = require('node:os');
const { delimiter, dirname } = require('node:path');

/**
 * Runs a program on another Node in place of this process: with its input and output, its signals and its exit code. The
 * children of the program find the same Node by PATH.
 */
function runOn(node = '', args = ['']) {
  const path = [dirname(node), process.env.PATH].join(delimiter);
  const child = spawn(node, args, { stdio: 'inherit', env: { ...process.env, PATH: path } });
  // The program decides when it ends.
  process.on('SIGINT', () => void (isInForeground() || child.kill('SIGINT')));
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  process.on('SIGHUP', () => child.kill('SIGHUP'));
  endWithShellOfNpm(() => child.kill('SIGTERM'));
  child.on('error', (error) => {
    throw error;
  });
  child.on('close', (code, signal) => process.exit(code ?? 128 + constants.signals[signal ?? 'SIGTERM']));
}

/** Whether Ctrl-C in the terminal reaches every process of this group, so the program as well. */
function isInForeground() {
  if (process.platform !== 'linux') return process.stdin.isTTY;
  const stat = readFileSync('/proc/self/stat', 'utf8');
  // After the name in parentheses: state, parent, process group, session, terminal, foreground group of the terminal.
  const [, , group, , , foreground] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return group === foreground;
}

/** npm sends SIGTERM to its shell only, which exits without forwarding it. */
function endWithShellOfNpm(end = () => {}) {
  const shell = process.ppid;
  if (process.env.npm_lifecycle_event) setInterval(() => process.ppid !== shell && end(), 250).unref();
}

module.exports = { runOn };
