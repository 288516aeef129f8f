/** The basic set of GSM 7-bit (3GPP TS 23.038, 6.2.1), and what takes two places in it. */
const basic =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
const extended = '\f^{}\\[~]|€';

/**
 * How a phone network carries a text: its letters, and in how many parts it is sent and paid for.
 * @param {string} text
 * @returns {{ encoding: 'GSM-7' | 'UCS-2', segments: number }}
 */
export function segmentsOf(text) {
  const characters = [...text];
  if (!characters.every((one) => basic.includes(one) || extended.includes(one)))
    return { encoding: 'UCS-2', segments: partsOf(text.length, 70, 67) };
  const places = characters.reduce((sum, one) => sum + (extended.includes(one) ? 2 : 1), 0);
  return { encoding: 'GSM-7', segments: partsOf(places, 160, 153) };
}

/**
 * @param {number} places
 * @param {number} alone in a text of one part
 * @param {number} each in one of several, which say how they belong together
 */
function partsOf(places, alone, each) {
  return places <= alone ? 1 : Math.ceil(places / each);
}
