/** The rule for images that files of deploy name. */

/**
 * A sentence for each fault of an image: its tag begins with its version, and where `isBuilt` is
 * false it is named by its digest.
 */
export function faultsOfImage(
  image: string,
  versions: Readonly<Record<string, string>>,
  isBuilt: boolean,
): string[] {
  const [name = '', digest = ''] = image.split('@')
  const [repository = '', tag = ''] = name.split(':')
  const version = versions[repository]
  const isIt = version !== undefined && (tag === version || tag.startsWith(`${version}-`))
  const isNamed = isBuilt || /^sha256:[0-9a-f]{64}$/.test(digest)
  return [
    ...(isIt ? [] : [`${image} is not of version ${version}`]),
    ...(isNamed ? [] : [`${image} is not named by its digest`]),
  ]
}
