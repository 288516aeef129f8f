import { hasNodeModules } from './node-modules.mjs';
import { say } from './progress.mjs';
import { findBinaries } from './servers/binaries.mjs';
import { canInstallPackages, missingMessage } from './servers/install.mjs';

/**
 * @typedef {object} Missing what a start needs and this machine lacks
 * @property {boolean} nodeModules
 * @property {import('./servers/binaries.mjs').ServerPackage[]} packages
 */

/** @returns {Missing} */
export function missingParts() {
  return { nodeModules: !hasNodeModules('stack'), packages: findBinaries().missing };
}

/**
 * Prints what this start will install, before it does.
 * @param {Missing} missing
 * @param {{ mayInstall: boolean, canInstall?: boolean }} options `canInstall`: whether this user may install packages of the system
 * @returns {void}
 * @throws with everything that is missing, where the start may not install it
 */
export function announceInstallation(
  { nodeModules, packages },
  { mayInstall, canInstall = canInstallPackages() },
) {
  const modules =
    'the packages that it runs with, from package-lock.json into node_modules (npm, without their scripts)';
  if (packages.length > 0 && (!mayInstall || !canInstall))
    throw new Error(
      [missingMessage(packages), ...(nodeModules ? ['  Node modules:    npm install'] : [])].join('\n'),
    );
  if (nodeModules && !mayInstall)
    throw new Error('Not found in this folder: node modules. Install them and start again: npm install');
  const parts = [
    ...(packages.length > 0 ? [`${packages.join(', ')} on this machine (apt-get, as root)`] : []),
    ...(nodeModules ? [modules] : []),
  ];
  if (parts.length === 0) return;
  say('  This start installs what is missing; with --no-install it would list it and end:');
  for (const part of parts) say(`    ${part}`);
}
