/** Kinds of byte strings that stores change by mistake. Each makes one of about this length. */
const kinds: readonly ((random: () => number, length: number) => Buffer)[] = [
  bytes,
  (random, length) => Buffer.from(text(random, length)),
  // One line, several lines, lines of other systems, and none.
  (random, length) => Buffer.from(`${text(random, length).replaceAll('\n', '')}\n`),
  (random, length) => Buffer.from(text(random, length).split('').join('\n')),
  (random, length) => Buffer.from(`${text(random, length)}\r\n`),
  (random) => Buffer.alloc(Math.floor(random() * 4), '\n'),
  // A byte order mark, zero bytes, and text that is cut inside of a character.
  (random, length) => Buffer.from(`\u{feff}${text(random, length)}`),
  (random, length) => Buffer.from(`${text(random, length)}\0${text(random, length)}`),
  (random, length) => Buffer.from(`${text(random, length)}é`).subarray(0, -1),
  // A surrogate, and an overlong form, which are no UTF-8.
  (random, length) => Buffer.concat([bytes(random, length), Buffer.from([0xed, 0xa0, 0x80, 0xc0, 0xaf])]),
  (random, length) => Buffer.from(bytes(random, length).toString('base64')),
  (random, length) => Buffer.from(JSON.stringify({ [text(random, 5)]: text(random, length) })),
];

const characters = [...'aZ0 "\\\'{}[]<>&%$`\n\r\t\u001b\u0085\u200d\u202e\u2028\u{1f512}é\u0301ß日'];

/** A byte string of one of the kinds. */
export function byteString(random: () => number): Buffer {
  const kind = kinds[Math.floor(random() * kinds.length)] ?? bytes;
  return kind(random, Math.floor(random() * 200));
}

function bytes(random: () => number, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)));
}

function text(random: () => number, length: number): string {
  return Array.from({ length }, () => characters[Math.floor(random() * characters.length)]).join('');
}
