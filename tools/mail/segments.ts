/** The basic character set of GSM 7-bit (3GPP TS 23.038, 6.2.1), and the characters that count as two. */
const basic =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
const extended = '\f^{}\\[~]|€';

/** The encoding of a text message, and the number of segments in which it is sent and billed. */
export function segmentsOf(text: string): { encoding: 'GSM-7' | 'UCS-2'; segments: number } {
  const characters = [...text];
  if (!characters.every((one) => basic.includes(one) || extended.includes(one)))
    return { encoding: 'UCS-2', segments: segmentCount(text.length, 70, 67) };
  const septets = characters.reduce((sum, one) => sum + (extended.includes(one) ? 2 : 1), 0);
  return { encoding: 'GSM-7', segments: segmentCount(septets, 160, 153) };
}

/**
 * @param length in septets or UTF-16 units
 * @param single the maximum of a message of one segment
 * @param each the maximum of each of several segments, which have a header
 */
function segmentCount(length: number, single: number, each: number) {
  return length <= single ? 1 : Math.ceil(length / each);
}
