import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseConfig, loadServiceConfig, runCommand } from '@vaultsvc/config';
import { createDataSource, hasPendingMigrations, type Storage } from '@vaultsvc/database';
import type { DataSource } from 'typeorm';
import {
  countRequested,
  discardDeadLetter,
  listDeadLetters,
  requestReplay,
  type DeadLetter,
} from './dead-letter-list.js';
import { readArguments, type DeadLettersCommand } from './read-arguments.js';

const LOOK_AGAIN_MS = 500;

/** The program `dead-letters` of a service that applies events. It needs the settings of the database; a replay needs a running instance, too. */
export function runDeadLetters(service: string, storage: Storage): Promise<void> {
  return runCommand(async () => {
    const command = readArguments(process.argv.slice(2));
    const config = loadServiceConfig(service, DatabaseConfig);
    const source = await createDataSource(config, storage).initialize();
    try {
      if (await hasPendingMigrations(source))
        throw new Error('the schema has pending migrations; run the migrate job first');
      process.exitCode = await carryOut(source, command);
    } finally {
      await source.destroy();
    }
  });
}

/** Carries out a command. Returns the exit code: 1 when something of the selection is still a dead letter. */
export async function carryOut(
  source: DataSource,
  command: DeadLettersCommand,
  print: (line: string) => void = (line) => void process.stdout.write(`${line}\n`),
): Promise<number> {
  if (command.action === 'list') return list(source, command, print);
  if (command.action === 'discard') return discard(source, command, print);
  return replay(source, command, print);
}

type Print = (line: string) => void;

async function list(
  source: DataSource,
  { consumer, isJson }: DeadLettersCommand,
  print: Print,
): Promise<number> {
  const letters = await listDeadLetters(source, { consumer });
  for (const letter of letters) print(isJson ? JSON.stringify(letter) : lineOf(letter));
  if (!isJson && letters.length === 0) print('no dead letters');
  return 0;
}

function lineOf({
  consumer,
  event_id,
  event,
  age_seconds,
  request_id,
  reason,
  is_requested,
}: DeadLetter): string {
  const what = event ?? 'refused message (its publisher sends the events again)';
  const asked = is_requested ? ' [replay requested]' : '';
  return `${consumer}  ${event_id}  ${what}  ${ageOf(age_seconds)} old  ${request_id ?? '-'}  ${reason}${asked}`;
}

function ageOf(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7_200 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3_600)} h`;
}

async function discard(source: DataSource, command: DeadLettersCommand, print: Print): Promise<number> {
  const isGone = await discardDeadLetter(source, command);
  print(isGone ? `discarded ${command.eventId}` : 'there is no such dead letter');
  return isGone ? 0 : 1;
}

async function replay(source: DataSource, command: DeadLettersCommand, print: Print): Promise<number> {
  const requested = await requestReplay(source, command);
  if (requested === 0) {
    print('no dead letter to replay');
    return command.eventId === undefined ? 0 : 1;
  }
  print(`${requested} requested`);
  const endMs = Date.now() + command.waitMs;
  while ((await countRequested(source, command)) > 0 && Date.now() < endMs) await delay(LOOK_AGAIN_MS);
  const left = (await listDeadLetters(source, command)).filter(({ event }) => event !== null);
  const waiting = left.filter(({ is_requested }) => is_requested).length;
  for (const letter of left) print(lineOf(letter));
  print(
    `${requested - left.length} applied, ${left.length - waiting} failed again, ${waiting} still waiting for an instance`,
  );
  return left.length > 0 ? 1 : 0;
}
