import { writeFileSync } from 'node:fs';
import { step } from '../stack/progress.ts';
import { Customer, leavesOf } from './customer.ts';
import type { DrillStack } from './drill-stack.ts';
import { blocksOf, type Block } from './runbook.ts';
import { runInShell, type Shell } from './shell.ts';

/** What the account has at the time of the dump. */
interface Data {
  read: string;
  unread: string;
  link: string;
  /** Audit entries of the account at the dump. */
  entries: number;
}

/** The first step of the page that needs the services. */
const STEP_WITH_SERVICES = 9;
/** The first data: four Sparks that are created, one read, a vault. */
const FIRST_ENTRIES = 6;

/**
 * Makes data, dumps it, goes on, loses the database, and restores it by the runbook.
 * @throws with the first command that fails, or what is not as it must be afterwards
 */
export async function drill(stack: DrillStack): Promise<void> {
  await stack.start();
  const shell = { folder: stack.path(), environment: await stack.environment() };
  const customer = new Customer(stack, shell);
  const data = await step('making Sparks, a link, a vault and a file', () => makeData(customer));
  const restoredTo = new Date(Math.floor(Date.now() / 1_000) * 1_000 + 1_000).toISOString();
  const [dump, ...blocks] = blocksOf();
  await runBlock(dump, shell);
  const after = await step('going on, and publishing heads', () => goOn(customer, data));
  writeFileSync(stack.path('checkpoint'), after.checkpoint);
  await step('1. stopping the services', () => stack.stopServices());
  await step('losing the database', () => runInShell(shell, 'dropdb --force vaultsvc'));
  const known = { RESTORED_TO: restoredTo, LOG_KEY: after.key };
  const restoring = { ...shell, environment: { ...shell.environment, ...known } };
  for (const block of blocks.filter(({ step: number }) => number < STEP_WITH_SERVICES))
    await runBlock(block, restoring);
  await step('8. starting the services: each is ready', () => stack.startServices());
  await step('what was there, and what may not be there again', () => checkData(customer, data, after.lost));
  await step('waiting for new heads', () => checkHeads(customer, data, after.checkpoint));
  for (const block of blocks.filter(({ step: number }) => number >= STEP_WITH_SERVICES))
    checkVerdict(await runBlock(block, restoring));
}

/** Runs a block as it is written. */
async function runBlock(block: Block | undefined, shell: Shell): Promise<string> {
  if (!block) throw new Error('deploy/restore.md has no blocks of commands');
  const [first = ''] = block.commands.split('\n');
  return step(`${block.step === 0 ? 'the dump' : `${block.step}.`} ${first}`, () =>
    runInShell(shell, block.commands),
  );
}

async function makeData(customer: Customer): Promise<Data> {
  const [read, unread] = [await customer.createSpark('read'), await customer.createSpark('unread')];
  await customer.readSpark(await customer.createSpark('read before the dump'));
  const link = await customer.run(`printf 'behind a link' | vaultsvc send --expires 1h`);
  await customer.run('vaultsvc vault create backups --save');
  await customer.run('head -c 3000000 /dev/urandom > file && vaultsvc upload backups file');
  return { read, unread, link, entries: await customer.untilLogged(FIRST_ENTRIES) };
}

/** What the restore will not know: a Spark and a link that were read, a Spark that was made, and heads that are public. */
async function goOn(customer: Customer, { read, link, entries }: Data) {
  expectEqual('a Spark', await customer.readSpark(read), 'read');
  expectEqual('a link', await customer.run(`vaultsvc read '${link}'`), 'behind a link');
  const lost = await customer.createSpark('lost');
  await customer.untilLogged(entries + 3);
  return { lost, checkpoint: await customer.checkpoint(), key: await customer.logKey() };
}

async function checkData(customer: Customer, { read, unread, link }: Data, lost: string) {
  expectEqual('a Spark that was read after the dump', await customer.readSpark(read), 'FORBIDDEN');
  expectEqual('a Spark that was unread', await customer.readSpark(unread), 'FORBIDDEN');
  expectEqual('a Spark of after the dump', await customer.readSpark(lost), 'NOT_FOUND');
  expectEqual(
    'a link',
    await customer.run(`vaultsvc read '${link}' 2> /dev/null || echo "exit $?"`),
    'exit 4',
  );
  const download = 'vaultsvc download backups file --out restored';
  expectEqual('a vault', await customer.run(`${download} 2> /dev/null || echo "exit $?"`), 'exit 3');
  await customer.run(`vaultsvc vault open backups && ${download} && cmp file restored`);
  expectEqual('a new Spark', await customer.readSpark(await customer.createSpark('new')), 'new');
}

/** Three secrets that the fence ended, and one that was created and read since. */
async function checkHeads(customer: Customer, { entries }: Data, before: string) {
  await customer.untilLogged(entries + 5);
  const [old, now] = [before, await customer.checkpoint()].map(leavesOf);
  if (!(Number(now) > Number(old) + 1))
    throw new Error(`The log has ${now} leaves after the restore and had ${old} before: no new heads`);
}

/** The verdict of the command line says of the log what an auditor must know. */
function checkVerdict(verdict: string) {
  if (!/^INTACT\.?$/m.test(verdict)) throw new Error(`The audit log is not intact:\n${verdict}`);
  if (!/^ *restored/m.test(verdict)) throw new Error(`The verdict does not name the restore:\n${verdict}`);
}

function expectEqual(what: string, found: string, expected: string) {
  if (found !== expected) throw new Error(`${what}: ${found} instead of ${expected}`);
}
