const channel = new BroadcastChannel('vaultsvc-vaults');

/** Tells the other tabs of the browser which vault was sealed, by its id. */
export const sealNews = {
  tell: (vaultId: string): void => channel.postMessage(vaultId),
  listen: (hear: (vaultId: string) => void): void =>
    channel.addEventListener('message', ({ data }) => hear(String(data))),
};
