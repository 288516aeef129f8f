import type { PublicOperation } from '@vaultsvc/contracts';

interface Sample {
  readonly lang: string;
  readonly source: string;
}

type Paths = Readonly<
  Record<string, Readonly<Record<string, { readonly 'x-codeSamples'?: readonly Sample[] }>>>
>;

/** The samples that the reference prints. */
export interface PrintedSamples {
  /** @throws if there is none */
  sourceOf(op: PublicOperation, lang: string): string;
  /**
   * The source of an operation that has no contract, by its method and path.
   * @throws if there is none
   */
  sourceAt(operation: string, lang: string): string;
  /** The sources of all operations in one language. */
  all(lang: string): string[];
}

/** Reads the OpenAPI document of the API at this origin. */
export async function printedSamples(url: string): Promise<PrintedSamples> {
  const { paths } = (await (await fetch(`${url}/v1/openapi.json`)).json()) as { readonly paths: Paths };
  const samplesOf = (path: string, method: string) => paths[path]?.[method]?.['x-codeSamples'] ?? [];
  const sourceAt = (operation: string, lang: string) => {
    const [method = '', path = ''] = operation.split(' ');
    const sample = samplesOf(path, method.toLowerCase()).find((one) => one.lang === lang);
    if (!sample) throw new Error(`${operation} has no sample in ${lang}`);
    return sample.source;
  };
  return {
    sourceOf: ({ http }, lang) => sourceAt(`${http.method} ${http.path}`, lang),
    sourceAt,
    all: (lang) =>
      Object.entries(paths)
        .flatMap(([path, item]) => Object.keys(item).flatMap((method) => samplesOf(path, method)))
        .filter((sample) => sample.lang === lang)
        .map(({ source }) => source),
  };
}
