import { findNode, installNode } from './releases.cjs';

/** The oldest Node that the client and the command line support, in which tests try them. */
const release = '20.19';

/** The path of the oldest Node that published packages support; the first use installs it. */
export function oldestNode(): string {
  return findNode(release) ?? installNode(release);
}
