import { auditRace } from './audit/audit-race.js';
import { clusterRace } from './cluster-races.js';
import { byteRace } from './bytes/byte-races.js';
import { fileRace } from './files/file-races.js';
import { linkRace } from './link-races.js';
import { notificationRace } from './notify/notification-race.js';
import { shareRace } from './notify/share-race.js';
import { patchRace } from './patch-races.js';
import { refreshRace } from './refresh-races.js';
import { sparkRace } from './spark-races.js';
import { uploadRace } from './upload-races.js';
import type { Race } from './race.js';

/** The races by name; `help` says what must hold in each, whatever fails. */
export const races: ReadonlyMap<string, { readonly race: Race; readonly help: string }> = new Map([
  [
    'sparks',
    {
      race: sparkRace,
      help: 'reads of Sparks over three instances that are killed and paused: nothing is revealed twice',
    },
  ],
  [
    'cluster',
    {
      race: clusterRace,
      help: 'the same with two shards, whose primaries fail for good, on a NATS of three that crash',
    },
  ],
  [
    'links',
    {
      race: linkRace,
      help: 'the same for links, with twenty openings each: one is consumed exactly if its Spark is burned',
    },
  ],
  [
    'refresh',
    {
      race: refreshRace,
      help: 'two tabs with one cookie jar refresh at once, over two instances of auth: none is refused',
    },
  ],
  [
    'patches',
    {
      race: patchRace,
      help: 'twenty calls change a structured ingot: its version rises by the changes, and no key is lost',
    },
  ],
  [
    'uploads',
    {
      race: uploadRace,
      help: 'uploads to a stack whose processes are killed: no acknowledged chunk is lost, no deleted one served',
    },
  ],
  [
    'audit',
    {
      race: auditRace,
      help: 'changes while two instances of reporting are killed: log, ledger, pools and counters show just these',
    },
  ],
  [
    'notifications',
    {
      race: notificationRace,
      help: 'sends while notify, NATS, PostgreSQL and sparks are killed: each recipient gets each message once',
    },
  ],
  [
    'shares',
    {
      race: shareRace,
      help: '1,500 recipients that never answer: the message of another tenant arrives in 2 s, its mail in 3',
    },
  ],
  [
    'files',
    {
      race: fileRace,
      help: 'killed command lines, full disks, changing files: no wrong bytes with exit 0, no lost link',
    },
  ],
  [
    'bytes',
    {
      race: byteRace,
      help: 'byte strings through all commands that store and return them: equal, or refused',
    },
  ],
]);
