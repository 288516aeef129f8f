/** Largest content of a Spark in bytes: UTF-8 of a text, base64 of a file (SPK-02). */
export const SPARK_BYTES_MAX = 256_000;

/** Largest file: base64 makes four characters of three bytes. */
export const FILE_BYTES_MAX = Math.floor(SPARK_BYTES_MAX / 4) * 3;

/** Whether only a vault holds the file. */
export const isTooLarge = ({ size }: File): boolean => size > FILE_BYTES_MAX;

/** Bytes of a text in UTF-8. */
export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
