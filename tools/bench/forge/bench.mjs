// npm run bench -- forge: encrypted transfers next to the plain tus server, in one run and in turn.
import { parseArgs } from 'node:util';
import { lastLines } from '../../stack/servers/server.mjs';
import { say } from '../report.mjs';
import { closeClients } from './clients.mjs';
import { makeContent } from './content.mjs';
import { measureFirstBytes } from './first-byte.mjs';
import { loadTransfers } from './load-transfers.mjs';
import { measureMemory } from './memory.mjs';
import { withPlace } from './place.mjs';
import { reportForge } from './report.mjs';
import { measureRounds } from './rounds.mjs';
import { prepareForge, startForge, startInfrastructure, startPlain } from './servers.mjs';
import { forgeTarget, plainTarget } from './targets.mjs';

const MB = 1_000_000;
const MANY = 8;
/** Of each of the uploads while memory is watched: two chunks. */
const WATCHED_BYTES = 60 * MB;

/** `args`: what stands after the name. */
export async function benchForge(args) {
  const { values } = parseArgs({
    args,
    options: {
      megabytes: { type: 'string', default: '500' },
      rounds: { type: 'string', default: '3' },
      uploads: { type: 'string', default: '50' },
    },
  });
  const options = {
    bytes: Number(values.megabytes) * MB,
    rounds: Number(values.rounds),
    uploads: Number(values.uploads),
  };
  reportForge(await withPlace((place) => measure(place, options)), options);
}

async function measure(place, { bytes, rounds, uploads }) {
  say('building Forge, starting PostgreSQL, NATS, Redis and the plain tus server');
  const [{ Transfers }, infrastructure] = await Promise.all([loadTransfers(), startInfrastructure(place)]);
  const forge = await prepareForge(place, infrastructure);
  const transfers = await Transfers.connect(infrastructure.nats.url, forge.contextKey);
  const copies = [];
  const start = async (name, settings) => {
    const copy = await startForge(place, forge, settings);
    copies.push(copy);
    return forgeTarget(name, copy, transfers, infrastructure);
  };
  try {
    const plainServer = await startPlain(place);
    const plain = plainTarget(plainServer, place.folder('plain'));
    const durable = await start('Forge', {});
    const targets = [plain, durable, await start('Forge, OBJECTS_FSYNC=false', { OBJECTS_FSYNC: 'false' })];
    const content = await makeContents(place, bytes);
    const loads = [
      { clients: 1, slices: [content.slice(0, bytes)] },
      { clients: MANY, slices: slicesOf(content, MANY, bytes / 5) },
    ];
    say('warming up');
    await measureRounds({ place, targets, loads: warmUp(content), plainUrl: plainServer.url, rounds: 1 });
    const records = await measureRounds({ place, targets, loads, plainUrl: plainServer.url, rounds });
    const firstBytes = await firstBytesOf([plain, durable], content);
    say(`${uploads} uploads at once`);
    const fresh = await start('Forge', {});
    const memory = await measureMemory(fresh, slicesOf(content, uploads, WATCHED_BYTES));
    return { records, firstBytes, memory };
  } catch (error) {
    const logs = copies.map(({ plan }) => lastLines(plan.logPath));
    throw new Error(`Forge says:\n${logs.join('\n')}`, { cause: error });
  } finally {
    closeClients();
    await transfers.close();
  }
}

/** 1 GB, from which every other file is cut; half of it where the disk has no room for it and its two copies. */
async function makeContents(place, bytes) {
  const large = place.freeBytes > 12_000 * MB ? 1_000 * MB : 500 * MB;
  const content = await makeContent(`${place.dir}/content`, Math.max(large, bytes));
  content.bytes = Math.max(large, bytes);
  return content;
}

/** Slices that begin in different places, so that no two clients send the same bytes. */
function slicesOf(content, count, bytes) {
  const room = content.bytes - bytes;
  return Array.from({ length: count }, (_, i) => content.slice(Math.floor((room * i) / count), bytes));
}

function warmUp(content) {
  return [{ clients: 2, slices: slicesOf(content, 2, 60 * MB) }];
}

async function firstBytesOf(targets, content) {
  const files = [
    { name: `${content.bytes / 1e9} GB`, slice: content.slice(0, content.bytes) },
    { name: '1 MB', slice: content.slice(0, MB) },
  ];
  const measured = [];
  for (const target of targets) {
    say(`first bytes of Ranges: ${target.name}`);
    measured.push({ target: target.name, places: await measureFirstBytes(target, files) });
  }
  return measured;
}
