import { closeVault, openVaults } from './open-vaults.js';

/** A vault locks when nobody has used the page for so long. */
export const IDLE_SECONDS = 15 * 60;
/** How long before a vault locks this is said. */
export const WARNING_SECONDS = 5 * 60;

let lastUse = Date.now();
for (const type of ['pointerdown', 'keydown', 'wheel'])
  addEventListener(type, () => (lastUse = Date.now()), { capture: true, passive: true });

/** Seconds until all vaults lock because nobody uses the page. */
export const idleSecondsLeft = (): number => IDLE_SECONDS - (Date.now() - lastUse) / 1_000;

/** Locks what is due. By the clock, because a computer that slept has run no timer. */
function lockDue(): void {
  const now = Date.now() / 1_000;
  for (const { vaultId, expiresAt } of Object.values(openVaults.get().open)) {
    if (expiresAt <= now) closeVault(vaultId, 'expired');
    else if (idleSecondsLeft() <= 0) closeVault(vaultId, 'idle');
  }
}

setInterval(lockDue, 1_000);
addEventListener('visibilitychange', lockDue);
