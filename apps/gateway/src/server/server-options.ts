/** Of every public origin (security.md 8): slow senders are cut off. */
export const serverOptions = {
  requestTimeout: 30_000,
};
