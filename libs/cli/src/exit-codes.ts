/** The exit codes of every command, except `secrets run`, which exits with the code of its program. */
export const exitCodes = {
  ok: 0,
  /** The command failed. */
  failed: 1,
  /** The command line is wrong; nothing was sent. */
  usage: 2,
  /** Not signed in, or not allowed. */
  denied: 3,
  /** The resource does not exist, or no longer: a Spark that was read, a link that expired. */
  gone: 4,
  /** Ctrl-C: 128 and the number of SIGINT, as in shells. */
  interrupted: 130,
} as const;

/** The table of the help, and of docs/cli.md. */
export const exitCodeMeanings: readonly (readonly [code: number, meaning: string])[] = [
  [exitCodes.ok, 'done'],
  [exitCodes.failed, 'failed'],
  [exitCodes.usage, 'wrong command line'],
  [exitCodes.denied, 'not signed in, or not allowed'],
  [exitCodes.gone, 'not found, or gone'],
  [exitCodes.interrupted, 'interrupted'],
];
