/** Names in vaults do not depend on case (VLT-02). */
export const foldedName = (name: string): string => name.normalize('NFC').toLowerCase();
