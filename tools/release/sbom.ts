import { Enums, Models, Serialize, Spec, SPDX } from '@cyclonedx/cyclonedx-library';
import type { ReleasedPackage } from './released-packages.ts';

/** What a bill of materials describes. */
export interface Subject {
  readonly version: string;
  readonly commit: string;
}

/**
 * The software bill of materials of a release: CycloneDX 1.6 in JSON. Without time and serial number, so that equal sources make
 * equal bytes.
 */
export function sbomOf({ version, commit }: Subject, packages: readonly ReleasedPackage[]): string {
  const bom = new Models.Bom();
  bom.metadata.component = new Models.Component(Enums.ComponentType.Application, 'vaultsvc', {
    version,
    bomRef: `vaultsvc@${version}`,
    licenses: new Models.LicenseRepository([licence('Apache-2.0')]),
    properties: new Models.PropertyRepository([new Models.Property('vaultsvc:revision', commit)]),
  });
  for (const one of packages) {
    const component = componentOf(one);
    bom.components.add(component);
    bom.metadata.component.dependencies.add(component.bomRef);
  }
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6));
  return `${serializer.serialize(bom, { sortLists: true, space: 2 })}\n`;
}

function componentOf({ name, version, license, integrity, programs }: ReleasedPackage) {
  const [, scope, plain = name] = /^(@[^/]+)\/(.+)$/.exec(name) ?? [];
  const purl = `pkg:npm/${scope === undefined ? '' : `${encodeURIComponent(scope)}/`}${plain}@${version}`;
  return new Models.Component(Enums.ComponentType.Library, plain, {
    ...(scope !== undefined && { group: scope }),
    version,
    purl,
    bomRef: purl,
    licenses: new Models.LicenseRepository(license === undefined ? [] : [licence(license)]),
    hashes: new Models.HashDictionary(hashesOf(integrity)),
    properties: new Models.PropertyRepository(
      programs.map((program) => new Models.Property('vaultsvc:program', program)),
    ),
  });
}

function licence(text: string) {
  const options = { acknowledgement: Enums.LicenseAcknowledgement.Declared };
  if (SPDX.isSupportedSpdxId(text)) return new Models.SpdxLicense(text, options);
  if (/ (AND|OR|WITH) /.test(text)) return new Models.LicenseExpression(text);
  return new Models.NamedLicense(text, options);
}

/** Of the archive of the package. */
function hashesOf(integrity: string | undefined): [Enums.HashAlgorithm, string][] {
  const [, base64] = /^sha512-(.+)$/.exec(integrity ?? '') ?? [];
  if (base64 === undefined) return [];
  return [[Enums.HashAlgorithm['SHA-512'], Buffer.from(base64, 'base64').toString('hex')]];
}
