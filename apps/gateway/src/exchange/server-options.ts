/** Options of every public origin: slow senders are cut off. */
export const serverOptions = {
  requestTimeout: 30_000,
};

/**
 * Options of the API's origin. Node's default of 16 KiB is too small: a request line may list a hundred key names
 * (STR-10), 25.6 KB of ASCII, or more with percent-encoding. The parser refuses longer heads with 400 (OPEN-55).
 */
export const apiServerOptions = { ...serverOptions, maxHeaderSize: 64 * 1_024 };
