/** The SBOM (CycloneDX) of a release, which npm makes of package-lock.json. */

import { sha256Hex } from '#lib/digest.ts'
import { refOf, type Shipped } from './shipped.ts'
import { readManifest, runNpm } from './tree.ts'

/** The members that are read or changed. */
type Sbom = {
  serialNumber?: string
  metadata: { timestamp: string; component: { 'bom-ref': string; name: string } }
  components: readonly { 'bom-ref': string }[]
  dependencies: readonly { ref: string; dependsOn: readonly string[] }[]
}

const OPTIONS = ['--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only']

/**
 * The components are those packages of package-lock.json that are shipped. `--omit=dev` would leave
 * out the parts of the console, and packages that tools need as well. `instant` takes the place of
 * the time at which npm ran, the name that of the folder, and the digest of the whole that of a
 * random number.
 */
export function sbomText(packages: readonly Shipped[], instant: Date): string {
  // As npm documents it; the test of the release compares it with package-lock.json.
  const made = JSON.parse(runNpm('sbom', OPTIONS)) as Sbom
  const { metadata } = made
  const component = { ...metadata.component, name: readManifest().name }
  const kept = new Set([component['bom-ref'], ...packages.map(refOf)])
  const sbom: Sbom = {
    ...made,
    serialNumber: '',
    metadata: { ...metadata, timestamp: instant.toISOString(), component },
    components: made.components.filter((one) => kept.has(one['bom-ref'])),
    dependencies: made.dependencies
      .filter(({ ref }) => kept.has(ref))
      .map((one) => ({ ...one, dependsOn: one.dependsOn.filter((ref) => kept.has(ref)) })),
  }
  const serialNumber = `urn:uuid:${uuidOf(sha256Hex(JSON.stringify(sbom)))}`
  return `${JSON.stringify({ ...sbom, serialNumber }, null, 2)}\n`
}

/** A UUID of version 8 (RFC 9562), of a digest in hexadecimal digits. */
function uuidOf(digest: string): string {
  const [, one, two, three, four, five] = /^(.{8})(.{4}).(.{3}).(.{3})(.{12})/.exec(digest) ?? []
  return `${one}-${two}-8${three}-8${four}-${five}`
}
