import { setTimeout as delay } from 'node:timers/promises';
import { accountChanges } from './account-changes.js';
import type { Change } from './change.js';
import type { ChangingAccount, Surroundings } from './changing-account.js';
import { ingotChanges } from './ingot-changes.js';
import { sparkChanges } from './spark-changes.js';
import { vaultChanges } from './vault-changes.js';

const CALLERS = 8;
/** After a call without an answer, such as one to a gateway that restarts. */
const PAUSE_MS = 100;

const kinds: readonly Change[] = [...accountChanges, ...sparkChanges, ...vaultChanges, ...ingotChanges];

/** Eight callers make changes of randomly chosen kinds to randomly chosen accounts, one after the other each. */
export async function makeChanges(
  accounts: readonly ChangingAccount[],
  { random, log }: Surroundings,
  isEnough: () => boolean,
): Promise<void> {
  const call = async () => {
    while (!isEnough()) {
      const account = accounts[Math.floor(random() * accounts.length)] as ChangingAccount;
      const { unknown } = log;
      await chosenBy(random).make(account);
      if (log.unknown > unknown) await delay(PAUSE_MS);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, call));
}

function chosenBy(random: () => number): Change {
  const total = kinds.reduce((sum, { weight }) => sum + weight, 0);
  let rest = random() * total;
  return kinds.find(({ weight }) => (rest -= weight) < 0) as Change;
}
