import { createContext, useContext, useEffect, useState } from 'react';
import { useKept } from '../../../api/kept.js';
import { useMember } from '../../../session/session-context.js';
import { openVaults, type OpenVault } from './open-vaults.js';

/** The open vault of a page; pages below `VaultPage` have one. */
export const OpenVaultContext = createContext<OpenVault | undefined>(undefined);

export function useOpenVault(): OpenVault {
  const vault = useContext(OpenVaultContext);
  if (!vault) throw new Error('There is no open vault above this component.');
  return vault;
}

/** Whether the person may change what the vault holds, as far as the application knows; the API decides. */
export function useMayWrite(): boolean {
  const { seat } = useMember();
  return !useOpenVault().isReadOnly && seat !== 'viewer';
}

export function useOpened(vaultId: string): OpenVault | undefined {
  return useKept(openVaults).open[vaultId];
}

/** The time in epoch seconds, each second anew. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now() / 1_000);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now() / 1_000), 1_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
