import { loadSource } from '../build/load-source.ts';

/**
 * `npm run races [-- <name>... --count 10000 --seed 7]`: races by name, or all of them. Exits with 1 if a guarantee was violated.
 *
 * - `sparks`: concurrent reads of Sparks, over three instances of the service that are killed and paused; no content may be
 *   revealed twice.
 * - `cluster`: the same with two shards of sparks, each with a primary of PostgreSQL and a synchronous standby, on a NATS of three; both
 *   primaries fail for good, and servers of NATS crash.
 * - `links`: the same for the links of Sparks, with twenty openings each; a link is consumed exactly if its Spark is burned.
 * - `refresh`: two tabs with one cookie jar refresh concurrently, over two instances of auth; no refresh may be refused.
 * - `patches`: twenty concurrent calls change a structured ingot, over three instances of vaults; its version rises by
 *   exactly the changes, and no winner's key is lost.
 * - `uploads`: uploads to a local stack whose processes are killed; no acknowledged chunk may be lost, no deleted content
 *   may be served, and the figures of all services must agree.
 * - `audit`: changes of all kinds over HTTP to a local stack with two instances of reporting, whose processes are killed;
 *   audit log, ledger, pools and counters must show exactly the changes that stand, and the transparency log must verify. `--seed`
 *   repeats the choice of changes and victims.
 * - `notifications`: sends while two instances of notify, NATS, PostgreSQL and sparks are killed; every recipient must get each
 *   message once.
 * - `shares`: a tenant sends to 1,500 recipients whose receivers never answer, by each channel; the message of another tenant
 *   must arrive within two seconds, its mail within three.
 * - `files`: downloads, uploads and links by processes of the command line that are killed, whose disk is full, and whose files
 *   change; no wrong bytes with exit 0, no changed file of the user, and no link that is lost to its opener. `--seed` repeats it.
 * - `bytes`: byte strings through the commands that store and return them; each must come back equal, or be refused.
 */
await loadSource(new URL('./main.ts', import.meta.url), 'races');
