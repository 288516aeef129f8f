/** Of every public origin: slow senders are cut off. */
export const serverOptions = {
  requestTimeout: 30_000,
};

/**
 * Of the API's origin, where Node's own 16 KiB are too few: a hundred names of keys may stand in one request line (STR-10),
 * 25.6 KB of ASCII and more where letters are escaped. What is longer is refused by the parser with 400 (OPEN-55).
 */
export const apiServerOptions = { ...serverOptions, maxHeaderSize: 64 * 1_024 };
