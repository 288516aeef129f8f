/** A part of the product without servers, whose specs run in seconds. */
export interface Part {
  readonly name: string;
  /** Globs of the sources in which StrykerJS plants mutants. */
  readonly sources: readonly string[];
  /** Globs of the specs that must notice them. */
  readonly specs: readonly string[];
  /**
   * Whether its specs take seconds: then a run tries the mutants of every third line, and none that only the loading of a module
   * runs, for which all specs would be run.
   */
  readonly isSlow?: boolean;
}

/** The formats of one folder of libs/crypto. Specs of other folders use them too, and the golden ones hold their bytes. */
const cryptoFormat = (folder: string): Part => ({
  name: `crypto/${folder}`,
  sources: [`libs/crypto/src/${folder}/**/*.ts`],
  specs: [`libs/crypto/src/${folder}/**/*.spec.ts`, 'libs/crypto/src/golden/**/*.spec.ts'],
  isSlow: folder === 'container',
});

const transparency = (folder: string, isSlow = false): Part => ({
  name: `transparency/${folder}`,
  sources: [`libs/transparency/src/${folder}/**/*.ts`],
  specs: ['libs/transparency/src/**/*.spec.ts'],
  isSlow,
});

const decoding = (...files: string[]): Part => ({
  name: `decoding/${files[0]}`,
  sources: files.map((file) => `libs/contracts/src/core/${file}.ts`),
  specs: files.map((file) => `libs/contracts/src/core/${file}.spec.ts`),
});

export const parts: readonly Part[] = [
  ...['aead', 'container', 'encoding', 'kdf', 'mac', 'signature', 'spool', 'tokens', 'wrap'].map(
    cryptoFormat,
  ),
  {
    name: 'limits',
    sources: ['fixed-window', 'pool-figures', 'rate-limit-exceeded'].map(
      (file) => `libs/limits/src/${file}.ts`,
    ),
    specs: ['fixed-window', 'pool-figures', 'rate-limit-exceeded'].map(
      (file) => `libs/limits/src/${file}.spec.ts`,
    ),
  },
  ...['chain', 'merkle', 'note', 'tiles'].map((folder) => transparency(folder)),
  transparency('export', true),
  {
    name: 'billing/quote',
    sources: ['apps/reporting/src/billing/quote/*.ts'],
    specs: ['apps/reporting/src/billing/quote/*.spec.ts'],
  },
  {
    name: 'billing/windows',
    sources: ['apps/reporting/src/analytics/windows.ts'],
    specs: ['apps/reporting/src/analytics/windows.spec.ts'],
  },
  decoding('decode'),
  decoding('near-names', 'undeclared-names'),
  decoding('structural-characters'),
  decoding('identity', 'host-name'),
  decoding('contact-fields', 'media-type', 'ids', 'error-message'),
];
