/** The help of `npm run audit`. */
export const usage = `Verifies the audit log of an account offline: no service, no network. docs/audit.md explains the formats.

  npm run audit -- verify <export.jsonl | -> [--key <key>]... [--checkpoint <file>] [--tiles <folder>]

      Names the first entry that was edited, removed, reordered or inserted, a cut tail, and a second history.
      --key         a key of the log that you hold, name+id+base64. Without it the keys that the export names are used.
      --checkpoint  a checkpoint of the log that you have kept. It shows that the log was not replaced since then.
      --tiles       a folder with files of the log, as tile/0/000. They show that no head of the account is missing.

  npm run audit -- files <checkpoint> [--entries]

      Lists the files of the log that a checkpoint needs: download them under the address of the log for --tiles.
      --entries     only the entry bundles, which suffice to search the log; without it tiles, too, for a comparison

  npm run audit -- sample <folder> [--heads <count>]

      Writes a log with an export, its key and two checkpoints, to try the commands on.

  npm run audit -- interop <folder> --key <key> [--checkpoint <file>] [--install]

      Verifies a downloaded log with the implementation of the Go project, which needs Go; --install installs it on
      Debian and Ubuntu, as root.

Exit code: 0 verified, 1 not intact, 2 the command cannot run.
`;
